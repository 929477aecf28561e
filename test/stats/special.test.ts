import { createRequire } from 'node:module';
import test from 'ava';
import {
  binomialCdf,
  chiSquareCdf,
  chiSquareQuantile,
  chiSquareSurvival,
  ibeta,
  ibetaInverse,
  lgamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
  tTwoSided,
} from '#lib/stats/index.js';
import { close, relativeError, sets } from './vectors.js';

const require = createRequire(import.meta.url);
const { jStat } = require('jstat');
const stdlibT: (p: number, df: number) => number = require('@stdlib/stats-base-dists-t-quantile');

const rows = (name: string): number[][] => sets.special[name];

// Measured: the worst row is 3e-14; 1e-12 leaves room for another libm, not for another algorithm.
const TOLERANCE = 1e-12;

test('special functions answer the vectors', (t) => {
  for (const [p, df, want] of rows('t_quantile')) close(t, tQuantile(p!, df!), want!, `t(${p}, ${df})`, TOLERANCE);
  for (const [x, df, want] of rows('t_cdf')) close(t, tCdf(x!, df!), want!, `T(${x}, ${df})`, TOLERANCE);
  for (const [x, a, b, want] of rows('ibeta')) close(t, ibeta(x!, a!, b!), want!, `I(${x}, ${a}, ${b})`, TOLERANCE);
  for (const [x, df, want] of rows('chi2_cdf')) close(t, chiSquareCdf(x!, df!), want!, `chi2(${x}, ${df})`, TOLERANCE);
  for (const [p, want] of rows('norm_quantile')) close(t, normalQuantile(p!), want!, `z(${p})`, TOLERANCE);
  for (const [z, want] of rows('norm_cdf')) close(t, normalCdf(z!), want!, `Phi(${z})`, TOLERANCE);
  for (const [k, n, p, want] of rows('binom_cdf')) {
    close(t, binomialCdf(k!, n!, p!), want!, `Bin(${k}; ${n}, ${p})`, TOLERANCE);
  }
});

test('t quantiles agree with @stdlib over a grid, other functions with jstat', (t) => {
  for (const df of [0.5, 1, 1.7, 2, 3, 4, 7.64, 9, 29.5, 49, 120, 999]) {
    for (const p of [1e-6, 0.001, 0.025, 0.2, 0.4, 0.51, 0.75, 0.95, 0.975, 0.9995]) {
      close(t, tQuantile(p, df), stdlibT(p, df), `t(${p}, ${df})`, 1e-11);
    }
  }
  for (const [a, b] of [
    [0.5, 0.5],
    [2, 3],
    [10, 1],
    [40, 60],
  ] as const) {
    for (const x of [0.05, 0.3, 0.5, 0.9]) close(t, ibeta(x, a, b), jStat.ibeta(x, a, b), `I(${x}, ${a}, ${b})`, 1e-6);
  }
  for (const df of [1, 4, 17]) {
    for (const x of [0.5, 3, 20]) close(t, chiSquareCdf(x, df), jStat.chisquare.cdf(x, df), `chi2(${x}, ${df})`, 1e-6);
  }
  for (const z of [-4, -1, 0, 0.3, 2]) close(t, normalCdf(z), jStat.normal.cdf(z, 0, 1), `Phi(${z})`, 1e-6);
});

test('closed forms', (t) => {
  for (const p of [1e-12, 0.01, 0.3, 0.6, 0.999]) {
    close(t, tQuantile(p, 1), -1 / Math.tan(Math.PI * p), `Cauchy ${p}`, 1e-11);
    close(t, tQuantile(p, 2), (2 * p - 1) / Math.sqrt(2 * p * (1 - p)), `t2 ${p}`, 1e-11);
    close(t, chiSquareQuantile(p, 2), -2 * Math.log1p(-p), `chi2(2) ${p}`, 1e-12);
    close(t, ibetaInverse(p, 3, 1), p ** (1 / 3), `beta(3, 1) ${p}`, 1e-12);
  }
  let factorial = 1;
  for (let n = 1; n <= 20; n++) {
    factorial *= n;
    t.true(
      Math.abs(lgamma(n + 1) - Math.log(factorial)) <= 1e-14 * Math.max(1, Math.log(factorial)),
      `lgamma(${n + 1})`,
    );
  }
  // Large arguments: P(X <= n - 1) = 1 - p^n, where log-gammas of 3,688 and 36,887 would cost digits.
  for (const [n, p] of [
    [368, 0.99],
    [3688, 0.999],
    [36887, 0.9999],
  ] as const) {
    close(t, binomialCdf(n - 1, n, p), -Math.expm1(n * Math.log(p)), `Bin(n - 1; ${n}, ${p})`, 1e-12);
  }
  let tail = 0;
  for (let k = 0; k <= 7; k++) tail += (jStat.combination(30, k) * 0.2 ** k * 0.8 ** (30 - k)) as number;
  close(t, binomialCdf(7, 30, 0.2), tail, 'Bin(7; 30, 0.2)', 1e-12);
});

test('quantiles invert their distributions, far into the tails', (t) => {
  for (const p of [1e-300, 1e-30, 1e-10, 0.003, 0.2, 0.5, 0.7, 0.999]) {
    close(t, normalCdf(normalQuantile(p)), p, `normal ${p}`, 1e-11);
    for (const df of [0.5, 1, 4, 30, 1e6]) {
      if (p ** (1 / df) < 1e-150) continue; // t beyond 1e150: its square overflows
      close(t, tCdf(tQuantile(p, df), df), p, `t ${p} ${df}`, 1e-10);
      close(t, chiSquareCdf(chiSquareQuantile(p, df), df), p, `chi2 ${p} ${df}`, 1e-9);
    }
  }
  close(t, tTwoSided(2.77644510519779, 4), 0.05, 'two-sided p', 1e-12);
  t.true(chiSquareSurvival(300, 2) > 0 && relativeError(chiSquareSurvival(300, 2), Math.exp(-150)) < 1e-12);
  close(t, tQuantile(1e-200, 1), -1 / (Math.PI * 1e-200), 'Cauchy far out', 1e-11);
  t.is(tQuantile(0.5, 3), 0);
  t.is(tCdf(Infinity, 3), 1);
  t.is(tCdf(-Infinity, 3), 0);
  close(t, tQuantile(0.975, Infinity), normalQuantile(0.975), 'infinite df');
  t.is(ibeta(0, 2, 3), 0);
  t.is(ibeta(1, 2, 3), 1);
});

test('the cache answers as the computation does, also after it overflowed', (t) => {
  const first = tQuantile(0.975, 7);
  for (let i = 0; i < 10_000; i++) tQuantile(0.9, 1 + i / 100);
  t.is(tQuantile(0.975, 7), first);
  t.is(tQuantile(0.9, 1.5), tQuantile(0.9, 1.5));
});

test('misuse is a RangeError with the argument in it', (t) => {
  const misuse: (() => number)[] = [
    () => tQuantile(0, 3),
    () => tQuantile(1, 3),
    () => tQuantile(0.5, 0),
    () => tQuantile(0.4, Number.NaN),
    () => tCdf(Number.NaN, 3),
    () => normalQuantile(1),
    () => normalCdf(Number.NaN),
    () => ibeta(1.2, 1, 1),
    () => ibeta(0.2, 0, 1),
    () => ibetaInverse(2, 1, 1),
    () => chiSquareCdf(1, 0),
    () => chiSquareQuantile(0, 1),
    () => chiSquareSurvival(Number.NaN, 1),
    () => binomialCdf(1, 2.5, 0.5),
    () => binomialCdf(1, 2, 1.5),
    () => lgamma(0),
  ];
  for (const call of misuse) t.throws(call, { instanceOf: RangeError }, call.toString());
});
