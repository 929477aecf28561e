import test from 'ava';
import fc from 'fast-check';
import { mulberry32 } from '#lib/stats/prng.js';
import { steadyState } from '#lib/stats/segments.js';
import { autocorrelation, effectiveSize, ljungBox, mser } from '#lib/stats/serial.js';
import { serialState } from '#lib/stats/serial-state.js';
import { near, nearP, vectors } from './near.js';

const { f_acf, f_mser, f_states, g_changepoints } = vectors;
const noise = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 12, maxLength: 60 });

test('vectors: autocorrelation, band, Ljung-Box, effective size', (t) => {
  const acf = autocorrelation(f_acf.x, 10);
  if (acf.status !== 'ok') return t.fail(acf.status);
  acf.values.forEach((r, i) => {
    near(t, r, f_acf.acf_lag1_10[i], `r_${i + 1}`);
  });
  near(t, acf.band, f_acf.band95);
  for (const [lags, [q, p]] of Object.entries<[number, number]>(f_acf.ljung_box)) {
    const found = ljungBox(f_acf.x, Number(lags));
    if (found.status !== 'ok') return t.fail(found.status);
    near(t, found.q, q);
    nearP(t, found.p, p);
  }
  const size = effectiveSize(f_acf.x);
  if (size.status !== 'ok') return t.fail(size.status);
  near(t, size.tau, f_acf.geyer_ips_tau);
  near(t, size.n, f_acf.n_eff);
});

test('vectors: MSER', (t) => {
  const found = mser(g_changepoints.series.warmup.x);
  if (found.status !== 'ok') return t.fail(found.status);
  t.is(found.start, f_mser.d);
  near(t, found.value, f_mser.value);
});

test('vectors: states of six series, with every p', (t) => {
  for (const [name, expected] of Object.entries<Record<string, number | string>>(f_states.series)) {
    const { x, steady_start } = g_changepoints.series[name];
    const found = serialState(x, steady_start, { seed: 1, shuffles: 499 });
    t.is(found.state, expected.verdict as typeof found.state, name);
    if (steady_start === null) continue;
    t.is(found.tail, expected.n_tail as number);
    t.is(found.lags, expected.h as number);
    nearP(t, found.trendP, expected.mk_p as number, `${name} mk`);
    near(t, found.ljungBoxQ, expected.lb_Q as number, `${name} Q`);
    nearP(t, found.ljungBoxP, expected.lb_p as number, `${name} lb`);
    near(t, found.shuffleP, expected.perm_max_acf_p as number, `${name} shuffle`);
  }
});

test('the state from the default search is that of the vectors', (t) => {
  for (const [name, expected] of Object.entries<{ verdict: string }>(f_states.series)) {
    const x: number[] = g_changepoints.series[name].x;
    for (const scale of [1, 1e9]) {
      const series = x.map((v) => v * scale);
      const found = serialState(series, steadyState(series).steadyStart);
      t.is(found.state as string, expected.verdict, `${name} x ${scale}`);
    }
  }
});

test('property: scaling and shifting leave autocorrelation, p and effective size alone', (t) => {
  fc.assert(
    fc.property(noise, (x) => {
      const scaled = x.map((v) => v * 1000 + 7000);
      const [a, b] = [ljungBox(x, 5), ljungBox(scaled, 5)];
      t.is(a.status, b.status);
      if (a.status === 'ok' && b.status === 'ok') t.true(Math.abs(a.p - b.p) < 1e-9);
      const [c, d] = [effectiveSize(x), effectiveSize(scaled)];
      t.is(c.status, d.status);
      if (c.status === 'ok' && d.status === 'ok') t.true(Math.abs(c.n - d.n) <= 1e-6 * c.n && c.n <= x.length);
    }),
  );
  t.pass();
});

test('dependence is seen: an AR(1) series is worth fewer values, noise is worth nearly all', (t) => {
  const random = mulberry32(5);
  const normal = () => Array.from({ length: 12 }, () => random.float()).reduce((a, b) => a + b) - 6;
  const white = Array.from({ length: 400 }, normal);
  const red: number[] = [];
  for (const e of white) red.push(0.9 * (red[red.length - 1] ?? 0) + e);
  const size = (x: number[]) => {
    const found = effectiveSize(x);
    return found.status === 'ok' ? found.n : Number.NaN;
  };
  t.true(size(white) > 250);
  t.true(size(red) < 60);
  t.is(serialState(red, 0).state === 'independent', false);
});

test('independent needs both tests; either alone is not enough', (t) => {
  const disagree = { ljungBox: 0, shuffle: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const random = mulberry32(seed);
    let last = 0;
    const x = Array.from({ length: 40 }, () => {
      last = 0.3 * last + random.float() - 0.5;
      return 100 + last;
    });
    const { state, trendP, ljungBoxP, shuffleP } = serialState(x, 0);
    const [box, shuffled] = [ljungBoxP! > 0.05, shuffleP! > 0.05];
    const expected = trendP! < 0.01 ? 'trending' : box && shuffled ? 'independent' : 'initialised-dependent';
    t.is(state, expected, `seed ${seed}`);
    if (trendP! >= 0.01 && box !== shuffled) disagree[box ? 'shuffle' : 'ljungBox']++;
  }
  t.true(disagree.ljungBox > 0 && disagree.shuffle > 0, JSON.stringify(disagree));
});

test('short and constant series get a status, not NaN', (t) => {
  t.is(autocorrelation([1, 2], 2).status, 'too-short');
  t.is(autocorrelation([1, 1, 1], 1).status, 'constant');
  t.is(ljungBox([], 1).status, 'too-short');
  t.is(ljungBox([4, 4, 4, 4], 2).status, 'constant');
  t.is(effectiveSize([1]).status, 'too-short');
  t.is(effectiveSize([2, 2, 2]).status, 'constant');
  t.is(mser([1]).status, 'too-short');
  t.deepEqual(mser([3, 3, 3, 3]), { status: 'ok', start: 0, value: 0 });
  t.is(serialState([1, 2, 3], 0).state, 'too-short');
  t.is(serialState([], 0).state, 'too-short');
  t.is(serialState([], null).state, 'not-initialised');
  t.is(serialState(new Array(40).fill(2), 0).state, 'independent');
});

test('misuse throws', (t) => {
  t.throws(() => autocorrelation([1, 2, 3], 0), { instanceOf: RangeError });
  t.throws(() => serialState([1, 2, 3], 4), { instanceOf: RangeError });
  t.throws(() => serialState([1, 2, 3], 0, { shuffles: 10 }), { instanceOf: RangeError });
  t.throws(() => ljungBox([1, Number.POSITIVE_INFINITY, 3], 1), { instanceOf: RangeError });
});
