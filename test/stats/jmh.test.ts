import test from 'ava';
import { JMH_QUANTILE, mean, pooledMeanInterval, quantile, sd, variance } from '#lib/stats/index.js';
import { close } from './vectors.js';

// The 25 values of JMH's TestListStatistics, and what it asserts of them (JMH 1396942; commons-math behind it).
const values = [
  60.89053178, 3.589312005, 42.73638635, 85.55397805, 96.66786311, 29.31809699, 63.50268147, 52.24157468, 64.68049085,
  2.34517545, 92.62435741, 7.50775664, 31.92395987, 82.68609724, 71.07171954, 15.78967174, 34.43339987, 65.40063304,
  69.86288638, 22.55130769, 36.99130073, 60.17648239, 33.1484382, 56.4605944, 93.67454206,
];

test('mean, deviation, error and percentiles are those that JMH prints', (t) => {
  close(t, mean(values), 51.0331695174, 'mean', 1e-12);
  close(t, sd(values), 28.582874479178, 'sd', 1e-12);
  close(t, variance(values), 816.9807, 'variance', 1e-7);
  const at = (p: number) => quantile(values, p, JMH_QUANTILE);
  for (const [p, want] of [
    [0, 2.345],
    [0.5, 56.46],
    [0.9, 93.044],
    [0.99, 96.667],
    [1, 96.667],
  ] as const)
    t.true(Math.abs(at(p) - want) < 1e-3, `p${p * 100}: ${at(p)}`);
  // One list is what JMH makes of all iterations; how they fall into forks does not matter to it.
  for (const groups of [[values], [values.slice(0, 10), values.slice(10)]]) {
    const { low, high } = pooledMeanInterval(groups);
    t.true(Math.abs(low! - 29.62232) < 2e-3 && Math.abs(high! - 72.44402) < 2e-3, `${low} ${high}`);
  }
});
