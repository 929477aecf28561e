import { EventLog } from './event-log.js';
import type { Run, RunEvent, RunInput, RunSettings } from './types.js';

/**
 * Measures benchmarks from inside a program: as `tscope run` does, but without printing and without ending the process.
 *
 * ```ts
 * const measured = run(new URL('./lookup.bench.ts', import.meta.url), { forks: 5 });
 * for await (const event of measured) if (event.type === 'progress') console.log(event.done, event.total);
 * const { trials } = await measured.result;
 * ```
 *
 * Runs of one process follow one another: two at a time would disturb each other.
 *
 * @param what One input or several; an empty list stands for the files that the config file names, else all below the working directory.
 * @throws Nothing itself. `result` and an iteration reject with UsageError for every mistake found before measuring, TypeError naming an
 * input or a setting that is wrong, Error inside a fork, and the signal's reason when it is aborted before measuring.
 */
export function run(what: RunInput | readonly RunInput[], settings: RunSettings = {}): Run {
  const log = new EventLog<RunEvent>();
  const begin = async () => {
    // Loaded by the first call only: a fork whose benchmark file imports this package must not load the host's side.
    const { execute } = await import('./execute.js');
    return execute(what, settings, (event) => log.push(event));
  };
  const result = begin().then(
    (value) => {
      log.end();
      return value;
    },
    (error) => {
      log.fail(error);
      throw error;
    },
  );
  return {
    result,
    [Symbol.asyncIterator]() {
      // Whoever iterates learns of a failure there.
      result.catch(() => {});
      return log[Symbol.asyncIterator]();
    },
  };
}
