import test from 'ava';
import { forksWanted, stopOutcome, stopScore, wish } from '#lib/analysis/adaptive/stop.js';
import { completeResult } from '#lib/analysis/complete.js';
import { trialScore } from '#lib/analysis/score.js';
import type { StopRule, Trial } from '#lib/result/model.js';
import { mulberry32, steinCount, steinInterval } from '#lib/stats/index.js';
import { around, resultOf, trialOf } from '../../support/compare.js';
import { fork } from '../../support/result.js';

const rule = (over: Partial<StopRule> = {}): StopRule => ({
  rule: 'stein',
  target: 0.01,
  confidence: 0.95,
  pilot: 10,
  cap: 200,
  budgetMs: null,
  ...over,
});

/** n normal values around 100, seeded. */
function normal(seed: number, n: number, sd: number): number[] {
  const random = mulberry32(seed);
  return Array.from({ length: n }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random.float();
    return 100 * (1 + sd * sum);
  });
}

test('Stein: the pilot first, then as many as its spread asks for, whatever follows', (t) => {
  t.is(wish(normal(1, 4, 0.03), rule()).wanted, 10);
  const pilot = normal(1, 10, 0.03);
  const expected = steinCount(pilot, 0.01 * (pilot.reduce((a, b) => a + b) / 10)).n!;
  t.true(expected > 20);
  t.is(wish(pilot, rule()).wanted, expected);
  t.is(wish([...pilot, 1, 1000, 5], rule()).wanted, expected, 'the second stage has no say');
  t.is(wish(normal(1, 10, 0.001), rule()).wanted, 10, 'a quiet pilot is enough');
  t.is(wish([100, 100, 100], rule({ pilot: 3 })).wanted, 3);
});

test('a target that no number of forks can reach ends at the limit, and says so', (t) => {
  const never = rule({ target: 1e-9, pilot: 3, cap: 4 });
  t.is(wish(normal(1, 3, 0.03), never).wanted, Infinity);
  const result = completeResult(
    { ...resultOf([trialOf(normal(1, 4, 0.03))]), stop: never },
    { allow: new Set(), flags: new Set() },
  );
  t.deepEqual(forksWanted(never, [trialOf(normal(1, 3, 0.03))]), [4]);
  const [trial] = result.trials;
  t.is(trial!.stop!.outcome, 'cap');
  t.is(trial!.stop!.wanted, null);
  const finding = trial!.findings.find(({ id }) => id === 'precision-cap');
  t.regex(finding?.message ?? '', /limit of 4 forks.*more are needed/);
});

test('width: no look before the pilot, one every five forks, two running must meet the target', (t) => {
  const width = rule({ rule: 'width' });
  t.deepEqual(wish(normal(2, 9, 0.001), width), { wanted: 10, looks: [] });
  const quiet = wish(normal(2, 10, 0.001), width);
  t.deepEqual([quiet.wanted, quiet.looks.length], [15, 1], 'one look is not enough');
  t.is(wish(normal(2, 15, 0.001), width).wanted, 15);
  t.is(wish(normal(2, 17, 0.1), width).wanted, 20);
  t.deepEqual(
    wish(normal(2, 21, 0.1), width).looks.map(({ n }) => n),
    [10, 15, 20],
  );
});

test('the rule never looks at the level: a multiple of all scores asks for the same forks', (t) => {
  for (let seed = 0; seed < 50; seed++) {
    const values = normal(seed, 30, 0.02);
    const scaled = values.map((value) => value * 1024);
    for (const name of ['stein', 'width'] as const) {
      t.is(wish(values, rule({ rule: name })).wanted, wish(scaled, rule({ rule: name })).wanted);
    }
  }
});

test('under Stein a nominal 95 % interval of at most the target covers 95 %', (t) => {
  let covered = 0;
  const draws = 2000;
  for (let seed = 0; seed < draws; seed++) {
    const all = normal(10_000 + seed, 400, 0.02);
    const values = all.slice(0, Math.min(400, wish(all.slice(0, 10), rule()).wanted!));
    const { low, high, halfWidth } = steinInterval(values, 10);
    if (low! <= 100 && high! >= 100) covered++;
    const first = values.slice(0, 10).reduce((a, b) => a + b) / 10;
    if (values.length < 400) t.true(halfWidth! <= 0.01 * first * (1 + 1e-9));
  }
  t.true(covered / draws > 0.935 && covered / draws < 0.965, `${covered} of ${draws}`);
});

const withWall = (trial: Trial, wallMs: number): Trial => ({
  ...trial,
  forks: trial.forks.map((f) => ({ ...f, wallMs })),
});

test('trials of a group with a baseline stop together, others alone; the cap holds', (t) => {
  const noisy = trialOf(normal(3, 10, 0.03), { benchmark: 'noisy' });
  const calm = trialOf(normal(4, 10, 0.0005), { benchmark: 'calm' });
  const [apart, quiet] = forksWanted(rule(), [noisy, calm]);
  t.true(apart! > 20);
  t.is(quiet, 10);
  const together = forksWanted(rule(), [{ ...noisy, baseline: true }, calm]);
  t.deepEqual(together, [apart, apart]);
  const other = trialOf(normal(4, 10, 0.0005), { benchmark: 'calm', params: { n: 2 } });
  t.deepEqual(forksWanted(rule(), [{ ...noisy, baseline: true }, other]), [apart, 10], 'other params are not compared');
  t.deepEqual(forksWanted(rule({ cap: 15 }), [noisy]), [15]);
});

test('a budget ends it at a round, but not before the pilot; a failed trial gets no more', (t) => {
  const noisy = withWall(trialOf(normal(3, 10, 0.03)), 1000);
  t.true(forksWanted(rule({ budgetMs: 11_000 }), [noisy])[0]! > 10, 'one more round fits');
  t.deepEqual(forksWanted(rule({ budgetMs: 10_500 }), [noisy]), [10]);
  const early = { ...noisy, forks: noisy.forks.slice(0, 4) };
  t.deepEqual(forksWanted(rule({ budgetMs: 1 }), [early]), [10]);
  const failure = { phase: 'benchmark', message: 'x', stack: null, fork: 0, exitCode: 1, signal: null };
  const broken = { ...noisy, forks: [fork(0, [], { status: 'failed', failure }), ...noisy.forks.slice(1)] };
  t.deepEqual(forksWanted(rule(), [broken]), [10]);
});

test('outcome, interval and finding of a finished run', (t) => {
  const run = (trial: Trial, stop: StopRule, status: 'complete' | 'interrupted' = 'complete') =>
    completeResult({ ...resultOf([trial]), status, stop }, { allow: new Set(), flags: new Set() }).trials[0]!;
  const wanted = wish(normal(3, 10, 0.03), rule()).wanted!;
  const whole = run(trialOf(normal(3, wanted, 0.03)), rule());
  t.is(whole.stop!.outcome, 'reached');
  t.is(whole.stop!.wanted, wanted);
  t.regex(whole.score!.method, /Stein's two stages/);
  t.true(whole.stop!.halfWidth! < 0.0105);
  t.true(whole.findings.every(({ id }) => id !== 'precision-cap' && id !== 'budget-exhausted'));

  const capped = run(trialOf(normal(3, 15, 0.03)), rule({ cap: 15 }));
  t.is(capped.stop!.outcome, 'cap');
  t.true(capped.findings.some(({ id, message }) => id === 'precision-cap' && message.includes(`${wanted} are needed`)));
  const late = run(trialOf(normal(3, 15, 0.03)), rule({ budgetMs: 1 }));
  t.is(late.stop!.outcome, 'budget');
  t.true(late.findings.some(({ id }) => id === 'budget-exhausted'));
  t.is(run(trialOf(normal(3, 15, 0.03)), rule(), 'interrupted').stop!.outcome, 'unfinished');

  const plain = trialOf(around(100));
  const scored = { ...plain, score: trialScore(plain) };
  t.is(stopScore(scored, rule({ rule: 'width' })), scored.score);
  t.is(stopOutcome(scored, rule({ rule: 'width', target: 0.5 }), 'complete').outcome, 'budget');
});

test('a trial has its own precision, or none while others have one', (t) => {
  const options = (value: number | null) => ({
    options: { unit: { value: 'ns', source: 'default' as const }, precision: { value, source: 'suite' as const } },
  });
  const values = normal(3, 10, 0.03);
  const [narrow, wide, none] = [0.01, 0.5, null].map((value, i) =>
    trialOf(values, { benchmark: `b${i}`, ...options(value) }),
  ) as [Trial, Trial, Trial];
  const told = trialOf(values, { benchmark: 'old' });
  const wanted = forksWanted(rule({ target: 0.01 }), [narrow, wide, none, told]);
  t.true(wanted[0]! > 20);
  t.deepEqual(wanted.slice(1, 3), [10, 10]);
  t.is(wanted[3], wanted[0], 'without a word of it the target of the run counts');
  // Fewer forks than the first stage of others are enough for a trial without precision; the budget still ends the run.
  const few = { ...none, forks: none.forks.slice(0, 2) };
  const late = [withWall(narrow, 1000), withWall(few, 1000)];
  t.deepEqual(forksWanted(rule({ budgetMs: 1 }), late), [10, 2]);
  const result = completeResult(
    { ...resultOf([narrow, none]), status: 'complete', stop: rule() },
    { allow: new Set(), flags: new Set() },
  );
  t.deepEqual(
    result.trials.map(({ stop }) => stop?.outcome),
    ['budget', undefined],
  );
});
