import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { QuickError, type QuickFunction, quickRuns, quickSummary } from '../../api/quick.js';
import { hotClock } from '../../clock/index.js';
import { importTs } from '../../loader/index.js';
import { quickLine, quickTable } from '../../report/quick.js';
import { UsageError } from '../../runner/usage-error.js';
import { didYouMean } from '../../suite/suggest.js';
import { EXIT, type Io } from '../io.js';

/** Flags of `tscope quick`, read. */
export interface QuickFlags {
  readonly warmups: number;
  readonly runs: number;
  readonly steps: number;
  readonly wait?: boolean;
}

async function findFunction(module: string, name: string, cwd: string): Promise<QuickFunction> {
  const path = resolve(cwd, module);
  if (!existsSync(path)) throw new UsageError(`${module}: no such file.`);
  let exported: Record<string, unknown>;
  try {
    exported = await importTs(pathToFileURL(path));
  } catch (error) {
    throw new UsageError(`${module}: does not load: ${error instanceof Error ? error.message : String(error)}`);
  }
  // Of CommonJS, names that Node cannot see from outside are on the default export.
  const inner = exported.default as Record<string, unknown> | undefined;
  const value = exported[name] ?? (Object.hasOwn(Object(inner), name) ? inner![name] : undefined);
  if (typeof value === 'function') return value as QuickFunction;
  const functions = Object.keys(exported).filter((key) => typeof exported[key] === 'function');
  const hint = didYouMean(name, functions) || ` Functions there: ${functions.join(', ') || 'none'}.`;
  throw new UsageError(
    value === undefined ? `${module}: exports no "${name}".${hint}` : `${module}: "${name}" is not a function.${hint}`,
  );
}

/** Waits for Enter or the end of input, so that a profiler can attach. */
async function waitForEnter(io: Pick<Io, 'err'>): Promise<void> {
  io.err(`tscope: process ${process.pid} is ready; press Enter to begin.\n`);
  const lines = createInterface({ input: process.stdin });
  await new Promise<void>((done) => {
    lines.once('line', () => done());
    lines.once('close', () => done());
  });
  lines.close();
}

/** The function runs in this process and may end it: Node would leave without a word, perhaps with 0. */
function guardExit(what: string, io: Pick<Io, 'err'>): () => void {
  const say = () => {
    io.err(`tscope: ${what}: something called process.exit() before the runs were done.\n`);
    process.exitCode = EXIT.usage;
  };
  // What can never settle is told by the command as a whole.
  const unguard = () => void process.off('exit', say).off('beforeExit', unguard);
  process.on('exit', say).on('beforeExit', unguard);
  return unguard;
}

/** A word of a command line, quoted where a shell would read it otherwise. */
const word = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * `tscope quick`: calls one function some times in this process. Signals end it at once, whatever the function does: every run has been
 * printed when it was over.
 *
 * @returns Exit code.
 * @throws UsageError when the function cannot be found, throws or misuses its timer.
 */
export async function quickCommand(
  module: string,
  name: string,
  flags: QuickFlags,
  io: Pick<Io, 'out' | 'err' | 'cwd'>,
): Promise<number> {
  const fn = await findFunction(module, name, io.cwd);
  const clock = hotClock();
  const now = () => {
    clock.read();
    return clock.slot[0]! * clock.nsPerTick;
  };
  if (flags.wait) await waitForEnter(io);
  const { warmups, runs, steps } = flags;
  let timed = 'call';
  const unguard = guardExit(`${module}, ${name}`, io);
  try {
    const done = await quickRuns(fn, {
      warmups,
      runs,
      steps,
      now,
      onRun(run) {
        timed = run.timed;
        io.out(`${quickLine(run)}\n`);
      },
    });
    const summary = quickSummary(done);
    if (summary) io.out(`\n${quickTable(summary, steps).join('\n')}\n\n`);
  } catch (error) {
    if (error instanceof QuickError) throw new UsageError(`${module}, ${name}: ${error.message}.`);
    throw error;
  } finally {
    unguard();
  }
  const { backend, reason } = clock.info;
  if (backend === 'hrtime') io.out(`Timed with process.hrtime: ${reason}.\n`);
  const command = `tscope run ${word(`${module}#${name}`)} -p steps=${steps} -opi ${steps}`;
  const whole = timed === 'timer' ? ' (it times whole calls, not spans)' : '';
  io.out(
    `One process, one heap, one order: enough for the magnitude, not for a comparison, since the next process may differ by more than two versions do. For an interval over fresh processes: ${command}${whole}\n`,
  );
  return EXIT.ok;
}
