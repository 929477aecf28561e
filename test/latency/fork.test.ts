import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { LatencyFlags } from '#lib/cli/commands/latency.js';
import { Histogram, readHlog } from '#lib/histogram/index.js';
import { reportText } from '#lib/latency/format/report.js';
import { measureLatency } from '#lib/latency/host/measure.js';
import type { LatencyData } from '#lib/latency/model.js';
import { command, fixture, hasAddon, measureFile, ROOT } from './forks.js';

/** The tables that hold nothing but what the task reported. */
const reported = (report: string) =>
  report.split('\n').filter((line) => /^(End to end|half|rare|never|[0-9.]+:|worst:|Percentile|-+ SUMMARY)/.test(line));

test.serial('computed values in real forks, all drivers: the tables of the golden report, byte for byte', async (t) => {
  const golden = reported(readFileSync(join(ROOT, 'test/golden/latency/spin-2.txt'), 'utf8'));
  const results = await measureFile('computed');
  t.deepEqual(
    results.map((data) => data.name),
    ['spin', 'pacer', 'timer'],
  );
  for (const data of results) {
    const fork = data.forks[0]!;
    t.is(fork.status, 'ok');
    t.deepEqual(reported(reportText(data)), golden, data.name);
    if (data.name !== 'pacer' || hasAddon) t.is(fork.driver!.kind, data.name as 'spin');
    else t.regex(fork.driver!.fallback!, /polls/);
    t.deepEqual(
      fork.runs.map((run) => [run.issued, run.lost, run.overflow, run.complete]),
      [
        [9000, 0, 0, true],
        [9000, 0, 0, true],
      ],
    );
  }
});

for (const runs of [1, 2, 3, 5]) {
  test.serial(`${runs} runs: the pacer driver reproduces the tables of the golden report`, async (t) => {
    const golden = reported(readFileSync(join(ROOT, `test/golden/latency/spin-${runs}.txt`), 'utf8'));
    const [data] = await measureFile('computed', { only: /^pacer$/, overrides: { runs } });
    const fork = data!.forks[0]!;
    t.is(fork.driver!.kind, hasAddon ? 'pacer' : 'timer');
    t.deepEqual(reported(reportText(data!)), golden);
    t.true(golden.length > 20);
    t.deepEqual(
      fork.runs.map((run) => [run.done, run.probes.rare!.total, run.probes.never!.total]),
      Array.from({ length: runs }, () => [9000, 900, 0]),
    );
  });
}

const mishap = async (name: string, runs = 1) => {
  const [data] = await measureFile('mishaps', { only: new RegExp(`^${name}$`) });
  const fork = data!.forks[0]!;
  return { data: data!, fork, first: fork.runs[0], runs };
};

for (const name of ['throws', 'rejects'] as const) {
  test.serial(`${name} at call n: what came before is kept and reported, exit code 1`, async (t) => {
    const { fork, first } = await mishap(name);
    t.is(fork.status, 'failed');
    t.is(fork.failure!.phase, 'run, event 300 of run 1');
    t.regex(fork.failure!.message, /event three hundred/);
    t.regex(fork.failure!.stack!, /mishaps\.latency\.ts/);
    t.like(first, { failed: 1, complete: false });
    // Events of the same look at the plan go out before a rejection is heard of.
    t.true(name === 'throws' ? first!.done === 300 : first!.done >= 300 && first!.done < 1000);
    const { code, out, err } = await command(fixture('mishaps'), { only: `^${name}$` });
    t.is(code, 1);
    t.regex(out, /End to end \(\d+\)/);
    t.regex(out, /Stopped after \d+ of 1,000 events/);
    t.regex(err, /event 300 of run 1: RangeError: event three hundred/);
  });
}

test.serial('an exception outside of run() ends the run, which is kept', async (t) => {
  const { fork, first } = await mishap('crash');
  t.is(fork.failure!.phase, 'uncaughtException');
  t.regex(fork.failure!.message, /outside of run/);
  t.true(first!.done >= 300 && first!.done < 1000 && !first!.complete);
});

test.serial('process.exit(0) in the task is a failure', async (t) => {
  const { fork } = await mishap('exits');
  t.is(fork.status, 'failed');
  t.is(fork.failure!.phase, 'exit');
  t.regex(fork.failure!.message, /in run 1/);
});

test.serial('what a task leaves running does not hold the host, though it holds the output', async (t) => {
  const begin = performance.now();
  const { fork } = await mishap('leaves');
  t.is(fork.status, 'ok');
  // It stays for 30 s.
  t.true(performance.now() - begin < 20_000);
});

test.serial('lost events are counted as at least the timeout, and the fork ends', async (t) => {
  const { fork, first } = await mishap('lost');
  t.is(fork.status, 'ok');
  t.like(first, { done: 196, lost: 4, complete: true });
  const h = Histogram.from(first!.response);
  t.is(h.count, 200);
  // A busy machine may delay others as much.
  t.true(h.count - h.countAtOrBelow(149e6) >= 4);
});

test.serial('an unknown probe is named together with the declared ones', async (t) => {
  const { fork } = await mishap('typo');
  t.regex(fork.failure!.message, /probe "pares" is not declared; declared are: parse/);
});

test.serial('a variable that forks never get is refused, not dropped', async (t) => {
  await t.throwsAsync(measureFile('mishaps', { keepEnv: ['NODE_OPTIONS'] }), {
    message: /^measureLatency: keepEnv: NODE_OPTIONS is never passed on to forks/,
  });
});

test.serial('files that cannot be measured: one sentence, exit code 2', async (t) => {
  const wrong = await command(fixture('wrong-option'), {});
  t.is(wrong.code, 2);
  t.regex(wrong.err, /latency "wrong": rate: must be a finite rate above 0, not 0/);
  const none = await command(fixture('no-export'), {});
  t.is(none.code, 2);
  t.regex(none.err, /has no latency\(\.\.\.\) as its default export/);
  t.is(none.err.trim().split('\n').length, 1, none.err);
  const named = await command(fixture('wrong-name'), {});
  t.is(named.code, 2);
  t.regex(named.err, /wrong-name.*the name "two\\nlines" holds a control character/);
  t.is(named.err.trim().split('\n').length, 1, named.err);
  await t.throwsAsync(measureLatency({} as never), { message: /^measureLatency: file: must be a path, not undefined/ });
  const missing = await command('nowhere.latency.ts', {});
  t.is(missing.code, 2);
  t.is(missing.err, 'tscope: nowhere.latency.ts: no such file.\n');
  await t.throwsAsync(command(fixture('wrong-option'), { max: ['p99'] }), { message: /--max p99: write/ });
  await t.throwsAsync(command(fixture('computed'), { only: 'nothing has this name' }), { message: /no measurement/ });
  const overridden = await command(fixture('computed'), { only: 'spin', rate: -3 });
  t.regex(overridden.err, /rate: must be a finite rate above 0, not -3/);
});

test.serial('flags that mean nothing are refused before anything is measured', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tscope-latency-'));
  const out = join(folder, 'r.json');
  try {
    const refused = async (flags: LatencyFlags, message: RegExp) => {
      await t.throwsAsync(command(fixture('computed'), { only: '^spin$', out, ...flags }), { message });
      t.false(existsSync(out), `nothing was measured for ${JSON.stringify(flags)}`);
    };
    await refused({ max: ['p50=1s', 'nope:p50=1us'] }, /there is no "nope"; use one of endToEnd/);
    await refused({ param: ['size=1'] }, /computed.*no measurement has a param "size"/);
    await refused({ json: true, teamcity: true }, /--json and --teamcity would both write to standard output/);
    await refused({ json: true, plot: true }, /--json and --plot would both/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.serial('every result of a file is told apart in limits, JUnit and TeamCity', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tscope-latency-'));
  const junit = join(folder, 'limits.xml');
  try {
    for (const [teamcity, prefix] of [
      [true, ''],
      ['ci', 'ci.'],
    ] as const) {
      // The code is that of the rate, which a busy machine may not keep.
      const { out } = await command(fixture('with-params'), { max: ['max=1h'], junit, teamcity });
      for (const n of [1, 2]) {
        t.true(out.includes(`kept: Params (n=${n}): max=1h: `), out);
        t.is(out.split(`key='${prefix}Params (n=${n}).end-to-end.worst'`).length, 2, out);
        t.true(readFileSync(junit, 'utf8').includes(`classname="Params (n=${n})"`));
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

for (const name of ['long', 'long-async']) {
  test.serial(`ctrl-C in the middle of ${name}: what is there is printed, exit code 130`, async (t) => {
    const abort = new AbortController();
    // Past start and warm-up on any machine, far from the end of 60 s.
    const timer = setTimeout(() => abort.abort('SIGINT'), 4000);
    const { code, out } = await command(fixture('long'), { only: `^${name}$` }, abort.signal);
    clearTimeout(timer);
    t.is(code, 130);
    t.regex(out, /Stopped after [\d,]+ of 60,000 events/);
    t.regex(out, /SUMMARY \(end to end\)/);
    t.notRegex(out, /RUN 2/);
  });
}

test.serial('a fork ends when its host is killed', async (t) => {
  if (process.platform === 'win32') return t.pass('no SIGKILL');
  const script = `
    import { measureLatency } from ${JSON.stringify(join(ROOT, 'dist/latency/host/measure.js'))};
    await measureLatency({ file: ${JSON.stringify(fixture('long'))}, only: /^long$/, toolVersion: '0', cwd: ${JSON.stringify(ROOT)},
      onEvent: (event) => { if (event.type === 'fork') console.log(event.pid); if (event.type === 'running') console.log('running'); } });`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of host.stdout) {
    text += chunk;
    if (text.includes('running')) break;
  }
  const pid = Number.parseInt(text, 10);
  t.notThrows(() => process.kill(pid, 0));
  host.kill('SIGKILL');
  let alive = true;
  for (let i = 0; i < 200 && alive; i++) {
    await sleep(100);
    try {
      process.kill(pid, 0);
    } catch {
      alive = false;
    }
  }
  if (alive) process.kill(pid, 'SIGKILL');
  t.false(alive, 'the fork outlived its host by 20 s');
});

test.serial('every output of the command, and thresholds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tscope-latency-'));
  const path = (name: string) => join(folder, name);
  try {
    const { code, out } = await command(fixture('computed'), {
      only: '^spin$',
      plot: true,
      teamcity: 'fix',
      out: path('r.json'),
      csv: path('r.csv'),
      hlog: path('r.hlog'),
      percentiles: path('r.txt'),
      max: ['p99=20us', 'half:p50=1ms'],
    }); // prettier-ignore
    t.regex(out, /kept: p99=20us: 12\.487 us, 7\.513 us \(37\.6 %\) below the limit|kept: p99=20us: /);
    t.regex(out, /##teamcity\[buildStatisticValue key='fix\.end-to-end\.0\.5' value='5\.499'\]/);
    t.regex(out, /us by percentile, 18,000 samples/);
    const data = JSON.parse(await readFile(path('r.json'), 'utf8')) as LatencyData;
    t.is(data.format, 'tscope-latency');
    t.is(data.forks[0]!.runs.length, 2);
    // On a machine that cannot keep 20,000/s for half a second the verdict decides, and must.
    const errors = data.forks[0]!.runs.some((run) => run.findings.some((finding) => finding.severity === 'error'));
    t.is(code, errors ? 1 : 0, out);
    t.is(await readFile(path('r.csv'), 'utf8'), readFileSync(join(ROOT, 'test/golden/latency/runs-2.csv'), 'utf8'));
    const log = readHlog(await readFile(path('r.hlog'), 'utf8'));
    const count = (tag: string) =>
      log.intervals.filter((i) => i.tag === tag).reduce((sum, i) => sum + i.histogram.count, 0);
    t.deepEqual(['run1', 'run2', 'run1.half', 'run2.rare', 'run1.never'].map(count), [9000, 9000, 9000, 900, 0]);
    t.regex(await readFile(path('r.txt'), 'utf8'), /Total count {4}= +18000\]/);

    const exceeded = await command(fixture('computed'), {
      only: '^spin$',
      max: ['p50=1us', 'p99.99=1s', 'rare:p50=1us'],
    });
    t.is(exceeded.code, 1);
    t.regex(exceeded.out, /FAILED: p50=1us: 5\.\d{3} us, 4\.\d{3} us \(4\d\d\.\d %\) above the limit/);
    t.regex(exceeded.out, /FAILED: p99\.99=1s: cannot be decided, needs 100000 samples and has 18000/);
    t.regex(exceeded.out, /kept: rare:p50=1us: 100 ns, 900 ns \(90\.0 %\) below the limit/);
    await t.throwsAsync(command(fixture('computed'), { only: '^spin$', max: ['nope:p50=1us'] }), {
      message: /there is no "nope"; use one of endToEnd/,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
