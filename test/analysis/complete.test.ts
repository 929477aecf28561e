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

test('findings of the run, of its trials and of its stop rule are silenced by id, each alone', (t) => {
  const shared = { id: 'cpu-shared', severity: 'info' as const, message: 'Shared.' };
  const rerun = { id: 'stray-rerun', severity: 'info' as const, message: 'Again.' };
  const stop = { rule: 'stein', target: 1e-6, confidence: 0.95, pilot: 3, cap: 3, budgetMs: null } as const;
  const raw = {
    ...exampleResult(),
    findings: [shared],
    stop,
    trials: [trial([[10], [12], [14]], { findings: [rerun] })],
  };
  const told = (...allow: string[]) => {
    const { findings, trials } = completeResult(raw, { ...none, allow: new Set(allow) });
    t.is(trials[0]!.stop!.outcome, 'cap', 'silence changes no outcome');
    return [findings, trials[0]!.findings].map((list) => list.map(({ id }) => id));
  };
  const [run, own] = told();
  t.deepEqual(run, ['cpu-shared']);
  t.deepEqual([own![0], own!.at(-1)], ['stray-rerun', 'precision-cap']);
  t.true(own!.includes('too-few-forks'));
  t.deepEqual(told('cpu-shared'), [[], own]);
  for (const id of own!) t.deepEqual(told(id), [run, own!.filter((other) => other !== id)], id);
  t.deepEqual(told('cpu-shared', ...own!), [[], []]);
  // What the run says already is not said again of each trial.
  const twice = { ...raw, findings: [{ ...shared, id: 'too-few-forks' }] };
  const completed = completeResult(twice, none);
  t.deepEqual(
    completed.trials[0]!.findings.map(({ id }) => id),
    own!.filter((id) => id !== 'too-few-forks'),
  );
});
