/** However a fork ends, its trial has one clear reason, the others are unharmed, and the exit code of the run says it. */
import test from 'ava';
import { measured, TINY, times } from './support.js';

const LIMIT = 'within 50\\d ms';
/** End, phase and message; null = it is fine. */
const ENDS: readonly (readonly [end: string, phase: string | null, message?: RegExp])[] = [
  ['well', null],
  ['open handle', null],
  ['stuck exit hook', null],
  ['exit 0', 'exit', /process\.exit\(\)/],
  ['exit 1', 'exit', /exited with code 1/],
  ['exit 42', 'exit', /exited with code 42/],
  ['exit code set', 'exit', /exited with code 42.*process\.exitCode/],
  ['abort', 'signal', /SIGABRT/],
  ['uncaught', 'uncaughtException', /Ends\.run.*boom uncaught/],
  ['unhandled', 'unhandledRejection', /Ends\.run.*boom unhandled/],
  ['forever in setup', 'timeout', new RegExp(`setup of suite "Ends" did not return ${LIMIT}`)],
  ['never in setup', 'timeout', new RegExp(`setup of suite "Ends" did not settle ${LIMIT}`)],
  ['forever in setupIteration', 'timeout', new RegExp(`setupIteration of suite "Ends" did not return ${LIMIT}`)],
  ['never in setupIteration', 'timeout', new RegExp(`setupIteration of suite "Ends" did not settle ${LIMIT}`)],
  ['never in run', 'timeout', /benchmark "run" of suite "Ends" did not settle .*never settles/],
  ['forever in teardownIteration', 'timeout', new RegExp(`teardownIteration of suite "Ends" did not return ${LIMIT}`)],
  ['never in teardownIteration', 'timeout', new RegExp(`teardownIteration of suite "Ends" did not settle ${LIMIT}`)],
  ['forever in teardown', 'timeout', new RegExp(`teardown of suite "Ends" did not return ${LIMIT}`)],
  ['never in teardown', 'timeout', new RegExp(`teardown of suite "Ends" did not settle ${LIMIT}`)],
];

test.serial('every end in one run: a reason for each, and no other trial is touched', async (t) => {
  const args = [...TINY, '-to', '500ms', '-p', `end=${ENDS.map(([end]) => end).join(',')}`];
  const run = await measured(t, 'ends.bench.mjs', args);
  t.is(run.code, 1);
  t.is(run.result.status, 'complete');
  for (const [i, [end, phase, message]] of ENDS.entries()) {
    const trial = run.result.trials[i]!;
    t.is(trial.params.end, end);
    t.is(trial.failure?.phase ?? null, phase, `${end}: ${trial.failure?.message}`);
    if (phase === null) {
      t.not(trial.score, null, end);
      continue;
    }
    t.regex(trial.failure!.message, message!);
    t.is(trial.score, null, end);
    t.true(run.stdout.includes(`FAILED Ends.run {"end":"${end}"}`));
    if (/^exit \d/.test(end)) t.is(trial.failure!.exitCode, Number(end.slice(5)));
    if (/^(forever|never) in (setupIteration|teardownIteration|run)/.test(end)) {
      t.is(times(run.of(trial), 'teardown'), 1, `${end}: what was set up is torn down all the same`);
    }
  }
});

test.serial(
  'an endless loop in an awaited call ends the fork although nothing in it can answer any more',
  async (t) => {
    const args = [...TINY, '-wi', '1', '-i', '1', '-to', '300ms', '-p', 'end=well,forever in run'];
    const run = await measured(t, 'ends.bench.mjs', args);
    const [well, stuck] = run.result.trials;
    t.is(well!.status, 'ok');
    t.is(stuck!.failure!.phase, 'timeout');
    t.is(run.code, 1);
  },
);

test.serial('-foe stops at the first failure; the rest is not run and the run says interrupted', async (t) => {
  const args = [...TINY, '-foe', 'true', '--order', 'sequential', '-p', 'end=exit 42,well'];
  const run = await measured(t, 'ends.bench.mjs', args);
  t.is(run.code, 1);
  t.deepEqual(
    run.result.trials.map(({ forks }) => forks.length),
    [1, 0],
  );
  t.is(run.result.status, 'interrupted');
});
