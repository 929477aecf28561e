import test from 'ava';
import { completeResult, completeTrial } from '#lib/analysis/complete.js';
import { exampleResult, fork, iteration, trial } from '../support/result.js';

const none = { allow: new Set<string>(), flags: new Set<string>() };

test('a trial whose data cannot be judged is failed with the reason; the others keep their scores', (t) => {
  const histogram = { unit: 'ns' as const, buckets: [], min: 1, max: 2, total: 3 };
  const bad = {
    ...trial([]),
    mode: 'sample' as const,
    forks: [fork(0, [], { iterations: [iteration(0, 10, { histogram })] })],
  };
  const alone = completeTrial(bad, none);
  t.is(alone.status, 'failed');
  t.is(alone.score, null);
  t.is(alone.failure?.phase, 'analysis');
  t.regex(
    alone.failure!.message,
    /^what was measured cannot be judged \(.+\); the data of its forks are in the result file$/,
  );
  const good = trial([[10], [12]]);
  const { trials } = completeResult({ ...exampleResult(), trials: [bad, good] }, none);
  t.is(trials[0]!.failure?.phase, 'analysis');
  t.is(trials[1]!.status, 'ok');
  t.is(trials[1]!.score!.value, 11);
});
