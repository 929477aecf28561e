/** tinybench, mitata, vitest and node:bench themselves, with our clock or engine. Ratios and counts only: the machine may be busy. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { measure } from 'mitata';
import { Bench } from 'tinybench';
import { counters, now } from '#lib/adapters/mitata.js';
import { record } from '#lib/adapters/node-bench.js';
import { timestampProvider } from '#lib/adapters/tinybench.js';
import { events, open } from '#lib/counters/index.js';
import { nodesUnderTest } from '../nodes.js';
import { fixture, ROOT, scratch, tscope } from '../support/cli.js';

const spin = (n: number): number => {
  let x = n;
  for (let i = 0; i < n; i++) x = (x * 31 + i) | 0;
  return x;
};
let [few, many] = [200, 20_000];

test('tinybench measures with our clock: its name in the result, 100 times the work takes longer', async (t) => {
  const bench = new Bench({ timestampProvider: timestampProvider(), time: 50, warmupTime: 10, retainSamples: true });
  bench.add('few', () => spin(few)).add('many', () => spin(many));
  await bench.run();
  const [a, b] = bench.tasks.map(({ result }) => result);
  if (a?.state !== 'completed' || b?.state !== 'completed') return t.fail(`${a?.state}, ${b?.state}`);
  t.regex(a.timestampProviderName, /^tscope \w/);
  t.true(b.latency.p50 > 20 * a.latency.p50, `${a.latency.p50} and ${b.latency.p50} ms`);
  t.true(a.latency.samples!.every((ms) => ms >= 0));
});

test('the provider converts both ways without loss, and takes a bigint', (t) => {
  const { fn, toMs, fromMs } = timestampProvider();
  for (const ms of [1e-6, 1, 12345.678]) t.true(Math.abs(toMs(fromMs(ms)) - ms) < 1e-12 * ms);
  t.is(toMs(1000n), toMs(1000));
  const [a, b] = [fn(), fn()];
  t.true(b >= a);
});

test('mitata measures with our clock', async (t) => {
  few = 200;
  many = 20_000;
  const options = { now: now(), min_cpu_time: 2e7, min_samples: 5, gc: false as const, batch_samples: 64 };
  const a = await measure(() => spin(few), options);
  const b = await measure(() => spin(many), options);
  t.true(b.p50 > 20 * a.p50, `${a.p50} and ${b.p50} ns`);
  let reads = 0;
  const clock = now();
  const counted = await measure(() => spin(few), { ...options, now: () => (reads++, clock()) });
  t.is(
    reads,
    2 * (counted.samples.length > 12 ? counted.samples.length + 4 : counted.samples.length),
    'two reads a sample',
  );
});

test('mitata carries our counters, per op; events that cannot be had are named', async (t) => {
  const wanted = ['page-faults', 'cycles'];
  const made = counters(wanted);
  if (!made.ok) {
    t.regex(made.hint, /\w/);
    t.false(open(wanted).ok, 'refused here, as by the counters themselves');
    return;
  }
  t.deepEqual([...made.slot.names, ...made.slot.failed.map(({ name }) => name)].sort(), [...wanted].sort());
  const stats = (await measure(
    () => {
      // Fresh pages: written once, so that each one faults.
      const pages = new Uint8Array(64 * 4096 * 4);
      for (let i = 0; i < pages.length; i += 4096) pages[i] = 1;
      return pages;
    },
    { min_cpu_time: 1e6, min_samples: 5, gc: false, $counters: made.slot } as object,
  )) as unknown as { counters: Record<string, { avg: number; min: number; max: number }> };
  if (made.slot.names.includes('page-faults')) {
    const { avg, min, max } = stats.counters['page-faults']!;
    t.true(min <= avg && avg <= max && avg > 1, `${avg} page faults per op`);
  }
  t.throws(() => counters(['no such event']), events() === null ? undefined : { instanceOf: TypeError });
});

test('record() refuses what has no length or no count', (t) => {
  const context = { record: () => t.fail('nothing must be recorded') };
  for (const operations of [0, 1.5, Number.NaN]) {
    t.throws(() => record(context, operations, () => 1), {
      instanceOf: RangeError,
      message: /operations must be a whole number/,
    });
  }
  const kept: { operations: number; duration_ns: bigint }[] = [];
  t.is(
    record({ record: (sample) => kept.push(sample) }, 7, (n) => spin(n * 1000)),
    spin(7000),
  );
  t.deepEqual(
    kept.map(({ operations, duration_ns }) => [operations, typeof duration_ns]),
    [[7, 'bigint']],
  );
});

const node26 = nodesUnderTest().find(({ name }) => name === 'Node 26')!;
const node22 = nodesUnderTest().find(({ name }) => name === 'Node 22' || name === 'Node 24')!;

/** Is node:bench in this Node? */
function hasBench(executable: string): boolean {
  return spawnSync(executable, ['--experimental-bench', '-e', 'require("node:bench")'], { env: {} }).status === 0;
}

if (node26.executable !== null && hasBench(node26.executable)) {
  test('node:bench takes our samples, and tscope compare reads its lines back', async (t) => {
    const cwd = scratch(t);
    const lines = () =>
      execFileSync(
        node26.executable!,
        ['--experimental-bench', '--bench', '--bench-reporter=json', fixture('adapters/fixtures/spans.bench.mjs')],
        {
          encoding: 'utf8',
          cwd,
          env: { PATH: process.env.PATH, ADAPTER: pathToFileURL(join(ROOT, 'dist/adapters/node-bench.js')).href },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
    const first = lines();
    const complete = first
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; data: unknown })
      .filter(({ type }) => type === 'bench:complete')
      .map(
        ({ data }) =>
          data as {
            name: string;
            samples: { operations: number; duration_ns: string; detail: { clock: object; ns: number } }[];
          },
      );
    t.deepEqual(
      complete.map(({ name, samples }) => [name, samples.length]),
      [
        ['spin', 4],
        ['spin', 4],
        ['later', 3],
      ],
    );
    const time = (i: number) =>
      complete[i]!.samples.map(({ duration_ns }) => Number(duration_ns)).sort((a, b) => a - b)[0]!;
    t.true(time(1) > 10 * time(0), '100 times the work');
    const [sample] = complete[0]!.samples;
    t.is(Number(sample!.duration_ns), Math.round(sample!.detail.ns));
    t.true('granularityNs' in sample!.detail.clock);

    writeFileSync(join(cwd, 'a.jsonl'), first + lines() + lines());
    const { code, stdout, stderr } = await tscope(['compare', 'a.jsonl', 'a.jsonl', '--json'], { cwd });
    t.is(code, 0, stderr);
    const { rows, notes, baseline } = JSON.parse(stdout);
    t.is(baseline.harness, 'node:bench');
    t.deepEqual(
      rows.map((row: { baseline: { forks: number; name: string }; params: object; ratio: number }) => [
        row.baseline.name,
        row.params,
        row.baseline.forks,
        row.ratio,
      ]),
      [
        ['spin', { work: 100 }, 3, 1],
        ['spin', { work: 10000 }, 3, 1],
        ['later', {}, 3, 1],
      ],
    );
    t.true(notes.some(({ id }: { id: string }) => id === 'node-bench-forks'));
    writeFileSync(join(cwd, 'torn.jsonl'), first.slice(0, -40));
    const torn = await tscope(['compare', 'torn.jsonl', 'a.jsonl'], { cwd });
    t.is(torn.code, 2);
    t.regex(torn.stderr, /torn\.jsonl: line \d+ is damaged/);
  });
} else {
  test.skip(`node:bench: ${node26.executable === null ? node26.reason : 'this Node 26 has no node:bench (26.9 and later have)'}`, () => {});
}

const VITEST = join(ROOT, '.cache/vitest/node_modules/vitest');
const vitestProblem =
  node22.executable === null
    ? node22.reason
    : existsSync(VITEST)
      ? null
      : 'vitest is not installed: run node scripts/peers.mjs';

if (vitestProblem === null) {
  test('vitest measures with our engine: in turns, with hooks, a warning for removed work', (t) => {
    const cwd = scratch(t);
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(VITEST, join(cwd, 'node_modules/vitest'), 'dir');
    symlinkSync(ROOT, join(cwd, 'node_modules/tscope'), 'dir');
    writeFileSync(
      join(cwd, 'vitest.config.mjs'),
      `export default { test: { include: ['nothing'], passWithNoTests: true, benchmark: { enabled: true, provider: 'tscope/adapters/vitest', include: ['*.bench.mjs'] } } };`,
    );
    writeFileSync(
      join(cwd, 'a.bench.mjs'),
      `import { expect, test } from 'vitest';
const spin = (n) => { let x = n; for (let i = 0; i < n; i++) x = (x * 31 + i) | 0; return x; };
let n = 100;
const seen = { all: 0, each: 0 };
const hooks = { beforeAll: () => void seen.all++, beforeEach: () => void seen.each++ };
test('spin', async ({ bench }) => {
  const result = await bench.compare(
    bench('short', () => spin(n)),
    bench('long', hooks, () => spin(n * 100)),
    bench('nothing', () => {}),
    { time: 50 },
  );
  const [short, long] = [result.get('short'), result.get('long')];
  console.log('REPORT ' + JSON.stringify({ seen, short, long: long.latency.p50 }));
  expect(short.latency.p50 * 20).toBeLessThan(long.latency.p50);
}, 120_000);
`,
    );
    const { status, stdout, stderr } = spawnSync(
      node22.executable!,
      ['node_modules/vitest/vitest.mjs', 'run', '--no-color'],
      {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: cwd },
      },
    );
    t.is(status, 0, stdout + stderr);
    const report = JSON.parse(/REPORT (.*)/.exec(stdout)![1]!);
    t.is(report.seen.all, 1);
    t.true(report.seen.each > 100);
    t.regex(report.short.timestampProviderName, /^tscope /);
    t.is(report.short.latency.df, 4, 'five rounds');
    t.true(report.short.latency.samplesCount > 100);
    t.true(Math.abs(report.short.period / report.short.latency.mean - 1) < 1e-12);
    t.regex(stderr, /tscope \[eliminated\] nothing: the optimiser removed the work/);
  });
} else {
  test.skip(`vitest: ${vitestProblem}`, () => {});
}
