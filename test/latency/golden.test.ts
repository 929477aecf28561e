/**
 * Clock-free tasks: they report computed values, so a whole report is a constant. TSCOPE_WRITE_GOLDEN=1 writes the files instead of comparing;
 * look at the difference before committing it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { csvText } from '#lib/latency/format/csv.js';
import { hlogText } from '#lib/latency/format/hlog.js';
import { plotText } from '#lib/latency/format/plot.js';
import { reportText } from '#lib/latency/format/report.js';
import { teamCityText } from '#lib/latency/format/teamcity.js';
import type { LatencyData } from '#lib/latency/model.js';
import type { ClockInfo } from '#lib/result/model.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { measure } from './fake.js';

const FOLDER = join(import.meta.dirname, '../../../test/golden/latency');

function golden(name: string, text: string): string {
  const path = join(FOLDER, name);
  if (process.env.TSCOPE_WRITE_GOLDEN === '1') writeFileSync(path, text);
  return readFileSync(path, 'utf8');
}

/** The shape of JLBH's own fixtures: 500 warm-ups, 9,000 calls, 1M/s; `rare` is fed one time in ten, `never` never. */
function fixture(driver: 'spin' | 'timer', runs: number) {
  let calls = 0;
  return {
    rate: '1/us',
    iterations: 9000,
    runs,
    warmup: 500,
    driver,
    probes: ['half', 'rare', 'never'] as const,
    run: (_: unknown, event: LatencyEvent<unknown, string>) => {
      const value = 1000 + (calls++ % 11_567);
      event.probe.half!(Math.floor(value / 2));
      if (calls % 10 === 0) event.probe.rare!(100);
      event.sample(value);
    },
  }; // prettier-ignore
}

/** The tables that hold nothing but what the task reported. */
const reported = (report: string) =>
  report.split('\n').filter((line) => /^(End to end|half|rare|never|[0-9.]+:|worst:|Percentile|-+ SUMMARY)/.test(line));

for (const runs of [1, 2, 3, 5]) {
  test(`${runs} runs: the report is the golden one in both drivers`, async (t) => {
    const reports: string[] = [];
    for (const driver of ['spin', 'timer'] as const) {
      const { data, end } = await measure('Fixture', fixture(driver, runs));
      t.is(end.failure, null);
      const report = reportText(data);
      t.is(report, golden(`${driver}-${runs}.txt`, report));
      reports.push(report);
      for (const run of data.forks[0]!.runs) {
        t.is(run.probes.rare!.total, 900);
        t.is(run.probes.never!.total, 0);
        t.is(run.response.total, 9000);
      }
    }
    t.deepEqual(reported(reports[0]!), reported(reports[1]!));
    t.true(reported(reports[0]!).length > 20);
    t.false(/NaN|Infinity|undefined|null/.test(reports.join('')), 'no cell without a meaning');
  });
}

test('the values in the golden report are those the task computed', async (t) => {
  const { data } = await measure('Fixture', fixture('spin', 3));
  // Independent of the library: the same sequence, sorted.
  for (const [r, run] of data.forks[0]!.runs.entries()) {
    const values = Array.from({ length: 9000 }, (_, i) => 1000 + ((500 + r * 9000 + i) % 11_567)).sort((a, b) => a - b);
    t.is(run.response.min, values[0]!);
    t.is(run.response.max, values[8999]!);
    const total = run.response.buckets.reduce((sum, [lowest, count]) => sum + lowest * count, 0);
    const exact = values.reduce((sum, v) => sum + v, 0);
    t.true(total <= exact && total > exact * 0.999);
  }
});

test('CSV of all runs and TeamCity of the last are golden', async (t) => {
  const { data } = await measure('Fixture', fixture('spin', 2));
  t.is(csvText(data), golden('runs-2.csv', csvText(data)));
  t.is(
    teamCityText(data, "it's [mine]", '.node22'),
    golden('teamcity.txt', teamCityText(data, "it's [mine]", '.node22')),
  );
});

test('the plot is golden, and says so when samples are too few', async (t) => {
  const { data } = await measure('Fixture', fixture('spin', 2));
  t.is(plotText(data), golden('plot.txt', plotText(data)));
  const empty: LatencyData = { ...data, forks: [] };
  t.is(plotText(empty), 'plot: 0 samples are too few\n');
});

test('a report of nothing still says what was wrong', async (t) => {
  const { data } = await measure('Broken', {
    rate: 1000,
    iterations: 5,
    run: () => undefined,
    setup: () => Promise.reject(new Error('no database')),
  });
  const failed: LatencyData = {
    ...data,
    status: 'failed',
    forks: [
      {
        ...data.forks[0]!,
        status: 'failed',
        failure: { phase: 'setup', message: 'no database', stack: null, fork: 0, exitCode: 1, signal: null },
      },
    ],
  };
  t.is(reportText(failed), 'Broken\nerror: fork 1 failed in setup: no database\n');
  t.is(teamCityText(failed), '');
});

test('measurements with other params have other keys and titles, on one line and in ASCII', async (t) => {
  const { data } = await measure('it’s', { rate: 1000, iterations: 30, runs: 1, warmup: 0, run: () => undefined });
  const keys = ['a\nb', 'c'].map((n) => teamCityText({ ...data, params: { n } }));
  t.regex(keys[0]!, /^##teamcity\[buildStatisticValue key='it\|0x2019s \(n=a b\)\.end-to-end\.0\.5' value=/);
  t.regex(keys[1]!, / \(n=c\)\.end-to-end\.0\.5'/);
  t.regex(reportText({ ...data, params: { n: 'a\nb' } }), /^it’s \(n=a b\)\n/);
  t.regex(hlogText({ ...data, params: { n: 'a\nb' } }), /^#\[it’s \(n=a b\), response times in ns\]\n/);
});

test('a fork without the addon says which clock it used, and why', async (t) => {
  const { data } = await measure('clock', { rate: 1000, iterations: 10, runs: 1, warmup: 0, run: () => undefined });
  const clock = { backend: 'hrtime', source: 'hrtime', reason: 'there is no addon for plan9' } as ClockInfo;
  const fork = { ...data.forks[0]!, clock };
  t.regex(reportText({ ...data, forks: [fork] }), /^Clock: process\.hrtime \(there is no addon for plan9\)$/m);
  t.notRegex(reportText(data), /^Clock:/m);
});
