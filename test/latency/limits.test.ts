/** Limits and tables over several runs and forks, by hand: what makes `tscope latency --max` end with 1. */
import test from 'ava';
import { Histogram } from '#lib/histogram/index.js';
import type { LatencyData, LatencyRun } from '#lib/latency/model.js';
import { histogramOf, merged, summaryOf, summaryTable } from '#lib/latency/summary.js';
import { checkThresholds, parseThreshold } from '#lib/latency/threshold.js';
import { meanInterval } from '#lib/stats/index.js';

const buckets = (values: readonly number[]) => {
  const h = new Histogram();
  for (const value of values) h.record(value);
  return h.toJSON();
};
const times = (value: number, count: number) => Array<number>(count).fill(value);

/** A run with these response times; service is a tenth of them, lateness and driver delay a hundredth and a thousandth. */
const run = (index: number, values: readonly number[]) =>
  ({
    run: index,
    response: buckets(values),
    service: buckets(values.map((v) => v / 10)),
    lateness: buckets(values.map((v) => v / 100)),
    driverDelay: buckets(values.map((v) => v / 1000)),
    probes: { parse: buckets(values.map((v) => v + 1)) },
  }) as unknown as LatencyRun;

const data = (...forks: (readonly (readonly number[])[])[]) =>
  ({
    config: { probes: ['parse', 'never'] },
    forks: forks.map((runs, index) => ({ index, runs: runs.map((values, i) => run(i + 1, values)) })),
  }) as unknown as LatencyData;

const check = (of: LatencyData, text: string) => checkThresholds(of, [parseThreshold(text)])[0]!;

test('a limit is kept up to itself, and says by how much it was missed', (t) => {
  const of = data([times(2_000_000, 100)]);
  const status = (text: string) => check(of, text).status;
  t.deepEqual(
    [status('max=2ms'), status('max=1999999ns'), status('p90=2ms'), status('p90=1ms')],
    ['kept', 'exceeded', 'kept', 'exceeded'],
  );
  t.is(check(of, 'p90=2ms').valueNs, 2_000_000);
  t.is(check(of, 'p90=2ms').message, 'p90=2ms: 2.000 ms, 0 ns (0.0 %) below the limit');
  t.is(check(of, 'max=1600us').message, 'max=1600us: 2.000 ms, 400.000 us (25.0 %) above the limit');
  t.is(check(of, 'p50=8ms').message, 'p50=8ms: 2.000 ms, 6.000 ms (75.0 %) below the limit');
  t.is(check(data([times(900, 100)]), 'p50=1us').message, 'p50=1us: 900 ns, 100 ns (10.0 %) below the limit');
  t.is(check(data([times(1000, 100)]), 'p50=999ns').message, 'p50=999ns: 1.000 us, 1 ns (0.1 %) above the limit');
});

test('a limit is about all runs and forks together, of the table it names', (t) => {
  // p90 of the 200 is in the last run of the second fork.
  const of = data([times(1000, 60), times(2000, 60)], [times(3000, 55), times(50_000, 25)]);
  t.is(check(of, 'p90=1s').valueNs, summaryOf(buckets(times(50_000, 1))).worst);
  t.is(check(of, 'p50=1s').valueNs, 2000);
  t.is(check(of, 'max=1s').valueNs, 50_000);
  t.is(check(of, 'endToEnd:max=1s').valueNs, 50_000);
  t.is(check(of, 'service:max=1s').valueNs, 5000);
  t.is(check(of, 'lateness:max=1s').valueNs, 500);
  t.is(check(of, 'driverDelay:max=1s').valueNs, 50);
  t.is(check(of, 'parse:max=1s').valueNs, 50_001);
  t.throws(() => check(of, 'other:max=1s'), {
    instanceOf: TypeError,
    message: /there is no "other"; use one of endToEnd, service, lateness, driverDelay, parse, never$/,
  });
  t.is(histogramOf(of.forks[0]!.runs[0]!, 'never'), undefined);
});

test('a limit that too few samples can decide is not kept, and says how many would do', (t) => {
  const of = data([times(5, 500)], [times(5, 499)]);
  const few = check(of, 'p99=1s');
  t.deepEqual([few.status, few.valueNs], ['too-few', null]);
  t.is(few.message, 'p99=1s: cannot be decided, needs 1000 samples and has 999');
  t.is(check(data([times(5, 500)], [times(5, 500)]), 'p99=1s').status, 'kept');
  t.is(check(data([times(5, 9)]), 'max=1s').status, 'kept', 'the worst is known of any number');
  t.is(check(data([[]]), 'max=1s').message, 'max=1s: cannot be decided, needs 1 samples and has 0');
  t.is(check(of, 'never:p50=1s').message, 'never:p50=1s: cannot be decided, needs 20 samples and has 0');
});

test('limits that are none', (t) => {
  for (const text of ['p0=1s', 'p101=1s', 'p1.2.3=1s', 'p.=1s'])
    t.throws(() => parseThreshold(text), { instanceOf: RangeError }, text);
  for (const text of ['p99', 'p=1s', '=1s', 'p99=', ':p99=1s', 'q99=1s'])
    t.throws(() => parseThreshold(text), { instanceOf: TypeError }, text);
  t.is(parseThreshold('p100=1s').level, 100);
  t.is(parseThreshold('worst=1s').level, 100);
});

test('the summary of one histogram shows what its count allows', (t) => {
  const of = summaryOf(buckets([...times(10, 99), 1000]));
  t.deepEqual(
    [of.count, of.p50, of.p90, of.p99, of.p999, of.p9999, of.worst, of.mean],
    [100, 10, 10, null, null, null, 1000, (990 + 1000) / 100],
  );
  const whole = summaryOf(buckets(Array.from({ length: 100_000 }, (_, i) => i % 2000)));
  t.deepEqual([whole.p50, whole.p90, whole.p99, whole.p999, whole.p9999], [999, 1799, 1979, 1997, 1999]);
  const none = summaryOf(buckets([]));
  t.deepEqual([none.count, none.p50, none.worst, none.mean], [0, null, null, null]);
});

test('a table over runs: values, range, variation, and an interval over whole forks', (t) => {
  const one = summaryTable(data([times(10, 20), times(14, 30), []]), 'endToEnd');
  t.deepEqual(
    [one.runs, one.counts],
    [
      ['1', '2', '3'],
      [20, 30, 0],
    ],
  ); // prettier-ignore
  t.deepEqual(
    one.rows.map(({ level, values, range, forks }) => [level, values, range, forks]),
    [
      [50, [10, 14, null], 4, null],
      ['worst', [10, 14, null], 4, null],
    ],
  );
  t.true(Math.abs(one.rows[0]!.cv! - (100 * Math.sqrt(8)) / 12) < 1e-9);
  t.true(Math.abs(one.rows[0]!.jlbh! - (100 * 4) / (14 + 5)) < 1e-9);
  // Each fork is one value, of its runs together.
  const forks = [[[...times(10, 12), ...times(20, 8)], times(20, 8)], [times(30, 20)], [times(35, 20), times(50, 2)]];
  const several = summaryTable(data(...forks), 'endToEnd');
  t.deepEqual(several.runs, ['1.1', '1.2', '2.1', '3.1', '3.2']);
  const [p50, worst] = [several.rows[0]!, several.rows.at(-1)!];
  t.deepEqual(p50.values, [10, null, 30, 35, null]);
  t.deepEqual(p50.forks, meanInterval([20, 30, 35]));
  t.deepEqual(worst.forks, meanInterval([20, 30, 50]));
  t.is(merged(data(...forks).forks[0]!.runs, 'service').count, 28);
  const lonely = summaryTable(data([times(10, 20)], [[]]), 'endToEnd');
  t.is(lonely.rows[0]!.forks, null, 'one fork with samples has no interval');
});
