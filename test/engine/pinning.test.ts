/** Pinning as the kernel sees it: what a fork says of its CPU is where its benchmark runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { allowedCpus } from '#lib/cpu/index.js';
import { fixture, SHORT, theRun, tscope } from '../support/cli.js';
import { runFork } from './support/run-fork.js';

const cpus = allowedCpus();
/** Pinning needs the addon and two CPUs; elsewhere a fork says that it is not pinned. */
const reason =
  cpus === null
    ? 'nothing can be pinned here (no addon, or no Linux)'
    : cpus.length < 2
      ? 'one CPU is allowed here'
      : null;
const onTwoCpus = (title: string, body: (t: ExecutionContext) => Promise<void>) =>
  reason === null ? test.serial(title, body) : test.serial.skip(`${title}: ${reason}`, body);
const [one, two] = [cpus?.[0] ?? 0, cpus?.[1] ?? 1];
const file = fixture('engine/fixtures/where.mjs');

/** A file for what threads say, and the different lines in it. */
function log(t: ExecutionContext): { path: string; lines(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'tscope-pinning-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'log');
  return { path, lines: () => [...new Set(readFileSync(path, 'utf8').trim().split('\n'))].sort() };
}

/** What a fork with this plan says of its CPU, where its threads were, and what it found. */
async function forked(t: ExecutionContext, pinCpus: number[], helperCpus: number[] | null) {
  const { path, lines } = log(t);
  const plan = { file, suite: 'Where', benchmark: 'b', params: { log: path }, iterations: 1, pinCpus, helperCpus };
  const report = await runFork({ ...plan, threads: pinCpus.length });
  t.is(report.code, 0, report.stderr);
  return { pinned: report.of('runtime').at(-1)!.runtime.pinnedCpu, seen: lines(), findings: report.findings };
}

onTwoCpus('a benchmark runs on the CPU that the plan names, whichever it is', async (t) => {
  for (const [cpu, helper] of [
    [one, two],
    [two, one],
  ] as const) {
    const { pinned, seen } = await forked(t, [cpu], [helper]);
    t.deepEqual([pinned, seen], [cpu, [String(cpu)]]);
  }
});

onTwoCpus('two threads run on the two CPUs of the plan, one each', async (t) => {
  const { pinned, seen } = await forked(t, [two, one], null);
  t.is(pinned, two);
  t.deepEqual(seen, [String(one), String(two)].sort());
});

onTwoCpus('a fork one of whose threads could not be pinned does not say that it is', async (t) => {
  const nowhere = 4000;
  for (const wanted of [[nowhere], [nowhere, one], [one, nowhere]]) {
    const { pinned, findings } = await forked(t, wanted, null);
    t.is(pinned, null, wanted.join());
    t.regex(findings.find(({ id }) => id === 'not-pinned')!.message, /pinning to CPU 4000/);
  }
});

for (const threads of [1, 2]) {
  onTwoCpus(`${threads} thread(s) of a run: the result names the CPU that the kernel does`, async (t) => {
    const { path, lines } = log(t);
    const cwd = join(path, '..');
    const args = [
      'run',
      file,
      ...SHORT,
      '-t',
      String(threads),
      '--keep-env',
      'WHERE_LOG',
      '--no-config',
      '--no-linearity',
    ];
    const { code, stderr } = await tscope(args, { cwd, env: { WHERE_LOG: path } });
    t.is(code, 0, stderr);
    const { pinnedCpu } = theRun(cwd).result().trials[0]!.forks[0]!.runtime!;
    const seen = lines();
    t.is(seen.length, threads, seen.join(' '));
    t.true(seen.includes(String(pinnedCpu)), `${pinnedCpu} among ${seen.join(' ')}`);
    for (const each of seen) t.true(cpus!.includes(Number(each)), each);
  });
}
