/** What a run's events put on stderr. */
import test from 'ava';
import { VERBOSITIES, watcher } from '#lib/cli/run/watcher.js';
import { trialPlan } from '../../support/trial-plan.js';

const trial = trialPlan({ file: 'f', suite: 'Hash', benchmark: 'mix', params: { seed: 7, rounds: 64 } });

/** A fork starts. */
function watched(interactive: boolean, verbosity: (typeof VERBOSITIES)[number]): string[] {
  const written: string[] = [];
  const io = { err: (text: string) => written.push(text), interactive, columns: 200 };
  const watch = watcher(io as never, verbosity);
  watch.onEvent({ type: 'progress', done: 3, total: 10, elapsedMs: 3000, etaMs: 7000 });
  const command = ['/bin/node', '--flag=a b', 'main.js'];
  watch.onEvent({ type: 'fork-started', trial, fork: 0, round: 0, position: 0, command });
  watch.end();
  return written;
}

test('a terminal sees progress with its ETA before a fork, and a clean line at the end', (t) => {
  const [shown, cleared, ...more] = watched(true, 'NORMAL');
  t.is(shown, '\r\x1b[K3/10 forks, 30 %, ETA 7 s, Hash.mix(7, 64)');
  t.is(cleared, '\r\x1b[K');
  t.deepEqual(more, []);
});

test('no progress off a terminal, and nothing on one when silent; EXTRA tells the command of each fork everywhere', (t) => {
  const command = 'tscope: fork: /bin/node "--flag=a b" main.js\n';
  for (const verbosity of VERBOSITIES)
    t.deepEqual(watched(false, verbosity), verbosity === 'EXTRA' ? [command] : [], verbosity);
  t.deepEqual(watched(true, 'SILENT'), []);
  t.is(watched(true, 'EXTRA')[0], command);
});
