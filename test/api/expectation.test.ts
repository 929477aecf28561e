import test from 'ava';
import { expectationOf } from '#lib/api/expectation.js';
import { exampleResult, trial } from '../support/result.js';

const arms = (candidate: number[], baseline: number[], over: object = {}) =>
  exampleResult({
    trials: [
      trial(
        candidate.map((score) => [score]),
        { id: 'c', benchmark: 'candidate', ...over },
      ),
      trial(
        baseline.map((score) => [score]),
        { id: 'b', benchmark: 'baseline', baseline: true },
      ),
    ],
  });

const AROUND = [99, 100, 101, 100, 99, 101];
const times = (factor: number) => AROUND.map((value) => value * factor);

test('each verdict has its sentence, and only improved is faster', (t) => {
  const answer = (candidate: number[], delta = 0.05) => expectationOf(arms(candidate, AROUND), { delta });
  const fast = answer(times(0.5));
  t.deepEqual([fast.verdict, fast.faster], ['improved', true]);
  t.true(Math.abs(fast.ratio! - 0.5) < 0.01);
  t.regex(
    fast.explanation,
    /^Faster: the candidate takes 0\.500 times as long as the baseline, 95 % interval \[0\.\d+, 0\.\d+\] over 6 and 6 forks, all of it below 1 - 5 %\.$/,
  );
  const slow = answer(times(2));
  t.deepEqual([slow.verdict, slow.faster], ['regressed', false]);
  t.regex(slow.explanation, /^Slower: /);
  const same = answer(times(1));
  t.deepEqual([same.verdict, same.faster], ['equivalent', false]);
  t.regex(same.explanation, /^No difference that matters: /);
  const open = answer([60, 140, 90, 110, 70, 130]);
  t.deepEqual([open.verdict, open.faster], ['inconclusive', false]);
  t.true(open.forksNeeded! > 6);
  t.regex(open.explanation, /^Not decided: .*about \d+ forks a side would decide/);
});

test('too few forks: no verdict, and what to set', (t) => {
  const { verdict, explanation, interval } = expectationOf(arms([1, 1], [9, 9]), {});
  t.deepEqual([verdict, interval], ['inconclusive', null]);
  t.regex(explanation, /at least 3 a side are needed: set forks/);
});

test('work that the optimiser removed is never faster', (t) => {
  const findings = [{ id: 'eliminated', severity: 'error', message: 'The optimiser removed the work.' }];
  const answer = expectationOf(arms(times(0.1), AROUND, { findings }), {});
  t.deepEqual([answer.verdict, answer.faster], ['inconclusive', false]);
  t.regex(
    answer.explanation,
    /^There is no verdict, because what was measured is not the work\. candidate: The optimiser/,
  );
});

test('an interrupted run has no verdict', (t) => {
  const answer = expectationOf({ ...arms(times(0.5), AROUND), status: 'interrupted' }, {});
  t.deepEqual([answer.verdict, answer.faster], ['inconclusive', false]);
});

test('a failed arm is an error that says which', (t) => {
  const failure = { phase: 'benchmark', message: 'boom', stack: null, fork: 0, exitCode: null, signal: null };
  t.throws(() => expectationOf(arms([1], [1], { status: 'failed', failure }), {}), {
    message: 'expectFaster: the candidate failed: boom',
  });
});

test('the judged score is the one asked for', (t) => {
  const result = arms(times(1), AROUND);
  const lost = {
    ...result,
    trials: result.trials.map((of, k) => ({
      ...of,
      forks: of.forks.map((fork) => ({
        ...fork,
        iterations: fork.iterations.map((i) => ({
          ...i,
          aware: {
            score: k === 0 ? i.score! / 2 : i.score,
            excludedNs: k === 0 ? i.elapsedNs / 2 : 0,
            excludedChunks: 1,
          },
        })),
      })),
    })),
  };
  const plain = expectationOf(lost, { delta: 0.05 });
  t.deepEqual([plain.verdict, plain.score], ['equivalent', 'plain']);
  const aware = expectationOf(lost, { score: 'aware' });
  t.deepEqual([aware.verdict, aware.faster, aware.score], ['improved', true, 'aware']);
  t.true(Math.abs(aware.ratio! - 0.5) < 1e-9);
  const none = expectationOf(result, { score: 'aware' });
  t.is(none.verdict, 'inconclusive');
  t.regex(none.explanation, /no-aware-score/);
});
