/** Formats of latency results, read back by something that did not write them, with ordinary names and with names that hurt. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { readHlog } from '#lib/histogram/index.js';
import { csvText } from '#lib/latency/format/csv.js';
import { hlogText, percentilesText } from '#lib/latency/format/hlog.js';
import { teamCityText } from '#lib/latency/format/teamcity.js';
import type { LatencyData } from '#lib/latency/model.js';
import { checkThresholds, parseThreshold } from '#lib/latency/threshold.js';
import { limitsJunit } from '#lib/report/latency-junit.js';
import type { LatencyEvent } from '#lib/suite/latency.js';
import { HOSTILE } from '../support/hostile.js';
import { readTeamCity, readXml, type Xml } from '../support/read-back.js';
import { measure } from './fake.js';
import { ROOT } from './forks.js';

const FOLDER = join(ROOT, 'test/golden/latency');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** TSCOPE_WRITE_GOLDEN=1 writes the file instead of comparing. */
function golden(name: string, text: string): string {
  if (process.env.TSCOPE_WRITE_GOLDEN === '1') writeFileSync(join(FOLDER, name), text);
  return read(name);
}

/** 2 runs of 2,000 events that report 1001, 1002 ... 3000 ns; the probe, where there is one, half of it. */
async function computed(probe: string | null): Promise<LatencyData> {
  let calls = 0;
  const { data, end } = await measure('Fixture', {
    rate: '1/us',
    iterations: 2000,
    runs: 2,
    warmup: 0,
    driver: 'spin',
    probes: probe === null ? [] : [probe],
    run: (_: unknown, event: LatencyEvent<unknown, string>) => {
      const value = 1001 + (calls++ % 2000);
      if (probe !== null) event.probe[probe]!(value / 2);
      event.sample(value);
    },
  }); // prettier-ignore
  if (end.failure) throw end.failure.error;
  return data;
}

test('the golden CSV, read by csv-parse', (t) => {
  const [head, ...rows] = parse(read('runs-2.csv')) as string[][];
  t.deepEqual(head, ['', '50th p-le', '90th p-le', '99th p-le', '999th p-le', '9999th p-le', 'Worst', 'Run', '']);
  t.deepEqual(
    rows.map((row) => `${row[0]} ${row[7]}`),
    ['endToEnd', 'half', 'rare', 'never']
      .flatMap((name) => [`${name} 1`, `${name} 2`])
      .sort((a, b) => Number(a.at(-1)) - Number(b.at(-1))),
  );
  for (const row of rows) for (const cell of row.slice(1, 7)) t.regex(cell, /^\d*$/);
});

test('the golden TeamCity messages, read by a parser of service messages', (t) => {
  const messages = readTeamCity(read('teamcity.txt'));
  t.true(messages.every(({ name }) => name === 'buildStatisticValue'));
  t.is(new Set(messages.map(({ attributes }) => attributes.key)).size, messages.length);
  t.is(messages[0]!.attributes.key, "it's [mine].end-to-end.0.5.node22");
  t.true(messages.every(({ attributes }) => Number.isFinite(Number(attributes.value))));
});

test('the log: golden heads, and histograms as another library reads them', async (t) => {
  const text = hlogText(await computed('half'));
  // The compressed part depends on the zlib of this Node, what it holds does not.
  const shown = text.replace(/[^,\n]+$/gm, (cell) => {
    if (!/^HISTF/.test(cell)) return cell;
    const h = decodeFromCompressedBase64(cell);
    const p = (level: number) => h.getValueAtPercentile(level);
    return `<${h.totalCount}: ${h.minNonZeroValue} ${p(50)} ${p(90)} ${p(99)} ${h.maxValue}>`;
  });
  t.true(shown.includes('<2000: '), shown);
  t.is(shown, golden('log.txt', shown));
});

test('percentile text is golden, and its last line of values is the worst', async (t) => {
  const text = percentilesText(await computed(null));
  t.is(text, golden('percentiles.txt', text));
  const rows = text
    .split('\n')
    .filter((line) => /^ +\d/.test(line))
    .map((line) => line.trim().split(/ +/).map(Number)); // prettier-ignore
  t.is(rows.at(-1)![2], 4000);
  t.true(rows.every(([value], i) => i === 0 || value! >= rows[i - 1]![0]!));
  t.true(Math.abs(rows.at(-1)![0]! - 3) < 0.004);
});

test('JUnit of limits is golden, and an XML parser counts the same', async (t) => {
  const data = await computed('half');
  const results = checkThresholds(data, ['p50=1ms', 'half:p99=1us', 'p99.99=1s'].map(parseThreshold));
  const text = limitsJunit([{ name: 'Fixture', file: 'fixture.ts', results }]);
  t.is(text, golden('limits.xml', text));
  const [suites] = readXml(text).testsuites as [Xml];
  const [suite] = suites.testsuite as [Xml];
  const cases = suite.testcase as Xml[];
  t.deepEqual(
    cases.map((of) => ['system-out', 'failure', 'error'].find((tag) => tag in of)),
    ['system-out', 'failure', 'error'],
  );
  t.deepEqual([suite.tests, suite.failures, suite.errors], ['3', '1', '1']);
});

for (const [kind, names] of Object.entries(HOSTILE)) {
  test(`names that hurt, ${kind}: TeamCity, log and JUnit`, async (t) => {
    const [name, , param, value, message] = names;
    const data = { ...(await computed(null)), name, params: { [param]: value } };
    const flat = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
    const title = flat(`${name} (${param}=${value})`);
    const keys = readTeamCity(teamCityText(data)).map(({ attributes }) => attributes.key!);
    t.true(keys.length >= 4);
    t.true(keys.every((key) => key.startsWith(`${title}.end-to-end.`)));
    const log = hlogText(data);
    t.is(
      readHlog(log).intervals.reduce((sum, { histogram }) => sum + histogram.count, 0),
      4000,
    );
    t.true(log.split('\n').includes(`#[${title}, response times in ns]`));
    const results = checkThresholds(data, [parseThreshold('p50=1ms')]);
    const [suites] = readXml(limitsJunit([{ name: title, file: message, results }])).testsuites as [Xml];
    t.is((suites.testsuite as [Xml])[0].name, title);
  });

  test(`names that hurt, ${kind}: probes come back from CSV, log and TeamCity, or are refused`, async (t) => {
    for (const name of names) {
      if (/[\s,"\p{Cc}]/u.test(name) || name === '') {
        await t.throwsAsync(computed(name), { message: /^probes\[0\]: .* must be a name without/ });
        continue;
      }
      const data = await computed(name);
      const rows = parse(csvText(data)) as string[][];
      t.deepEqual(
        rows.map((row) => row[0]),
        ['', 'endToEnd', name, 'endToEnd', name],
      ); // prettier-ignore
      const tags = readHlog(hlogText(data)).intervals.map(({ tag }) => tag);
      t.true(tags.includes(`run1.${name}`) && tags.includes(`run2.${name}`));
      const keys = readTeamCity(teamCityText(data)).map(({ attributes }) => attributes.key);
      t.true(keys.includes(`Fixture.${name}.0.5`));
    }
  });
}
