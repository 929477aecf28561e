import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { resumeRun, startRun } from '#lib/runner/index.js';
import { StrayForks } from '#lib/runner/stray-forks.js';
import { iteration } from '../support/result.js';
import { logFile, realDeps, runPlanOf, trialPlan } from './plans.js';

const forkOf = (arithmeticNs: number, memoryNs = 50_000) =>
  [1, 1, 1].map((_, i) => iteration(i, 100, { canary: { arithmeticNs: arithmeticNs * (i === 1 ? 3 : 1), memoryNs } }));

test('a fork is judged by the forks before it, of its own Node, by its canaries alone', (t) => {
  const stray = new StrayForks();
  // The first five only teach, also when one of them is slow; one iteration of three decides nothing.
  for (const ns of [20_000, 20_100, 30_000, 20_050, 20_000]) t.false(stray.strayed('node', forkOf(ns)));
  t.false(stray.strayed('node', forkOf(21_500)));
  t.true(stray.strayed('node', forkOf(23_000)));
  t.true(stray.strayed('node', forkOf(20_000, 65_000)));
  t.false(stray.strayed('other', forkOf(40_000)));
  t.false(stray.strayed('node', [iteration(0, 100)]));
});

async function run(t: ExecutionContext, stray: string, strayReruns: number | undefined, forks = 8) {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('canaries', { log, stray }, { forks })], {
    ...(strayReruns === undefined ? {} : { strayReruns }),
  });
  const result = await startRun(plan, realDeps());
  const attempts = readFileSync(log, 'utf8').split('\n').length - 1;
  const journal = readFileSync(join(plan.runDir, 'journal.jsonl'), 'utf8');
  const ends = journal
    .split('\n')
    .filter((line) => line.includes('"type":"end"'))
    .map((line) => JSON.parse(line) as { rerun: boolean; why?: string });
  const [trial] = result.trials;
  const slow = trial!.forks.filter((fork) => fork.iterations[0]!.canary!.arithmeticNs > 25_000).length;
  return { plan, trial: trial!, attempts, ends, slow, finding: trial!.findings.find(({ id }) => id === 'stray-rerun') };
}

test('off unless asked for: forks whose canaries strayed count', async (t) => {
  const { attempts, slow, finding, ends } = await run(t, '7', undefined);
  t.deepEqual([attempts, slow, finding], [8, 1, undefined]);
  t.true(ends.every(({ rerun, why }) => !rerun && why === undefined));
});

test('on: such a fork runs again, both are in the journal, the trial says so', async (t) => {
  const { attempts, slow, finding, ends, trial } = await run(t, '7', 3);
  t.deepEqual([attempts, slow, trial.forks.length, trial.status], [9, 0, 8, 'ok']);
  t.is(ends.length, 9);
  t.deepEqual(
    ends.filter(({ rerun }) => rerun).map(({ why }) => why),
    ['canary'],
  );
  t.regex(finding!.message, /^Beside 1 fork\(s\) .* were run again/);
  t.deepEqual(finding!.forks, [6]);
});

test('re-runs are bounded, and what strayed beyond the limit counts and is told', async (t) => {
  const { attempts, slow, finding } = await run(t, '6,8,10', 2);
  t.deepEqual([attempts, slow], [10, 1]);
  t.regex(finding!.message, /Beside 2 fork\(s\).* 1 more strayed beyond the limit and count/);
  // A machine that stays slow: three attempts at one fork, then it counts.
  const always = await run(t, '6,7,8,9,10,11,12', 10, 6);
  t.deepEqual([always.attempts, always.slow], [8, 1]);
});

test('a resumed run knows what was run again', async (t) => {
  const { plan, trial } = await run(t, '7', 3);
  const again = await resumeRun(plan.runDir, realDeps());
  t.deepEqual(
    again.trials[0]!.findings.filter(({ id }) => id === 'stray-rerun'),
    trial.findings.filter(({ id }) => id === 'stray-rerun'),
  );
});
