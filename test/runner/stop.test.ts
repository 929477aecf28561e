/** The stop rule's hook: rounds are added whole, for those trials only that want more, and a resumed run adds the same. */
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { RunResult, StopRule } from '#lib/result/model.js';
import { resumeRun, startRun } from '#lib/runner/index.js';
import { logFile, realDeps, runPlanOf, trialPlan } from './plans.js';

const stop: StopRule = { rule: 'stein', target: 0.01, confidence: 0.95, pilot: 2, cap: 9, budgetMs: null };

const places = (result: RunResult) =>
  result.trials.map(({ status, forks }) => [
    status,
    forks.map(({ index, round, position }) => [index, round, position]),
  ]);

test('rounds follow until every trial has what the rule wants, and the answer is asked for after each', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log, ms: 1 }), trialPlan('b', { log, ms: 1 })], { stop });
  const asked: number[][] = [];
  const deps = realDeps({
    forksWanted: (rule, trials) => {
      t.deepEqual(rule, stop);
      asked.push(trials.map(({ forks }) => forks.length));
      return [5, 3];
    },
  });
  const result = await startRun(plan, deps);
  t.deepEqual(asked, [
    [2, 2],
    [3, 3],
    [4, 3],
    [5, 3],
  ]);
  t.deepEqual(result.stop, stop);
  t.is(result.status, 'complete');
  t.deepEqual(
    result.trials.map(({ status, forks }) => [status, forks.length]),
    [
      ['ok', 5],
      ['ok', 3],
    ],
  );
  t.deepEqual(
    result.trials[0]!.forks.map(({ round }) => round),
    [0, 1, 2, 3, 4],
  );
  const finished = deps.events.filter((event) => event.type === 'trial-finished');
  t.deepEqual(
    finished.map((event) => event.type === 'trial-finished' && event.trial.forks.length),
    [5, 3],
  );
  const progress = deps.events.filter((event) => event.type === 'progress').at(-1)!;
  t.true(progress.type === 'progress' && progress.done === 8 && progress.total === 8);

  // Interrupted inside the second added round, the rest is run as it would have been.
  const journal = join(plan.runDir, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').split('\n');
  const ends = lines.flatMap((line, i) => (line.startsWith('{"type":"end"') ? [i] : []));
  truncateSync(journal, Buffer.byteLength(`${lines.slice(0, ends[5]! + 1).join('\n')}\n`));
  const resumed = await resumeRun(plan.runDir, realDeps({ forksWanted: () => [5, 3] }));
  t.deepEqual(places(resumed), places(result));
});

test('a trial that failed gets no more forks, the others do', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(
    t,
    [trialPlan('a', { log, ms: 1 }), trialPlan('b', { log, ms: 1, at: 'load', end: 'throw' })],
    { stop },
  );
  const result = await startRun(plan, realDeps({ forksWanted: () => [4, 4] }));
  const [good, bad] = result.trials;
  t.is(good!.forks.length, 4);
  t.is(bad!.status, 'failed');
  t.true(bad!.forks.length <= 2);
});

test('without a rule nobody is asked', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log, ms: 1 })]);
  const result = await startRun(plan, realDeps({ forksWanted: () => t.fail() as never }));
  t.is(result.trials[0]!.forks.length, 2);
  t.is(result.stop, undefined);
});
