/** `tscope run` as a user meets it: real files, real forks, exit codes, what is printed and what is kept. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { readResult } from '#lib/result/index.js';
import { fixture, SHORT, scratch, start, theRun, tscope } from '../support/cli.js';

const steps = fixture('cli/fixtures/steps.bench.ts');
const misbehaves = fixture('cli/fixtures/misbehaves.bench.ts');

test('a run prints a table, names its method, and keeps a result that the reader accepts', async (t) => {
  const cwd = scratch(t);
  const { code, stdout, stderr } = await tscope(['run', steps, ...SHORT, '-f', '3', '--out', 'kept.json'], { cwd });
  t.is(code, 0, stderr);
  t.is(stderr, '', 'nothing but results when nothing is wrong and stderr is no terminal');
  t.regex(stdout, /^# tscope \d/);
  t.regex(
    stdout,
    /Benchmark +\(steps\) +Mode +Cnt +Score +Error +Units\nSteps\.walk +50 +avgt +3 +[\d.]+ ± +[\d.]+ +\w+\/op\n/,
  );
  t.regex(stdout, /Student t on fork scores/);
  const result = theRun(cwd).result();
  t.deepEqual(readResult(join(cwd, 'kept.json')), result);
  t.is(result.status, 'complete');
  t.deepEqual(
    result.trials.map(({ params, status, forks }) => [params.steps, status, forks.length]),
    [
      [50, 'ok', 3],
      [200, 'ok', 3],
    ],
  );
  for (const trial of result.trials) {
    t.deepEqual(trial.options.forks, { value: 3, source: 'command line' });
    for (const fork of trial.forks) {
      t.is(fork.iterations.length, 2);
      t.is(fork.warmup.length, 1);
      t.is(fork.runtime!.loader, 'stripped');
      for (const { ops, elapsedNs, score } of fork.iterations)
        t.true(Math.abs(score! - elapsedNs / ops) < 1e-6 * score!);
    }
  }
  t.true(result.trials[1]!.score!.value > 2 * result.trials[0]!.score!.value, '200 steps cost about four times 50');
});

test('thrpt is the reciprocal of avgt: ops over time', async (t) => {
  const cwd = scratch(t);
  const { code } = await tscope(['run', steps, ...SHORT, '-bm', 'thrpt', '-p', 'steps=50', '-tu', 'us'], { cwd });
  t.is(code, 0);
  const [trial] = theRun(cwd).result().trials;
  t.is(trial!.score!.unit, 'ops/us');
  t.is(trial!.score!.better, 'higher');
  const { iterations } = trial!.forks[0]!;
  const ops = iterations.reduce((sum, { ops }) => sum + ops, 0);
  const ns = iterations.reduce((sum, { elapsedNs }) => sum + elapsedNs, 0);
  t.true(Math.abs(trial!.score!.value - (ops / ns) * 1000) < 1e-9 * trial!.score!.value);
});

test('--json prints the result and nothing else on stdout', async (t) => {
  const cwd = scratch(t);
  const { code, stdout } = await tscope(['run', steps, ...SHORT, '-p', 'steps=50', '--json', '--seed', '7'], { cwd });
  t.is(code, 0);
  const result = JSON.parse(stdout);
  t.is(result.seed, 7);
  t.deepEqual(result, JSON.parse(JSON.stringify(theRun(cwd).result())));
});

test('-o copies the report to a file, to the byte, also beside --json', async (t) => {
  const cwd = scratch(t);
  const args = ['run', steps, ...SHORT, '-p', 'steps=50'];
  const plain = await tscope([...args, '-o', 'log.txt'], { cwd });
  t.is(plain.code, 0, plain.stderr);
  t.regex(plain.stdout, /Steps\.walk[\s\S]*\nResult: /);
  t.is(readFileSync(join(cwd, 'log.txt'), 'utf8'), plain.stdout);
  const json = await tscope([...args, '--json', '--log', 'beside.txt'], { cwd });
  t.is(json.code, 0, json.stderr);
  t.notThrows(() => JSON.parse(json.stdout));
  t.regex(readFileSync(join(cwd, 'beside.txt'), 'utf8'), /^# tscope \d[\s\S]*Steps\.walk[\s\S]*\nResult: /);
});

test('-l and -lp list without measuring', async (t) => {
  const cwd = scratch(t);
  t.is((await tscope(['run', steps, '-l'], { cwd })).stdout, 'Steps.walk\n');
  t.is(
    (await tscope(['run', steps, '-lp', '-bm', 'avgt,thrpt', '-p', 'steps=9'], { cwd })).stdout,
    'Steps.walk [avgt] steps=9\nSteps.walk [thrpt] steps=9\n',
  );
  t.false(existsSync(join(cwd, '.tscope')));
});

test('two benchmarks of which one fails: the other scores, the failure has a row with its place, exit 1', async (t) => {
  const cwd = scratch(t);
  const { code, stdout } = await tscope(['run', fixture('cli/fixtures/two.bench.ts'), ...SHORT], { cwd });
  t.is(code, 1);
  t.regex(stdout, /Two\.bad +avgt +failed/);
  t.regex(stdout, /Two\.good +avgt +[\d.]+/);
  t.regex(stdout, /FAILED Two\.bad \[avgt\], benchmark \(fork 1\): .*this one is broken\n +at .*two\.bench\.ts:7:/);
  const result = theRun(cwd).result();
  t.deepEqual(
    result.trials.map(({ status, score }) => [status, score === null]),
    [
      ['failed', true],
      ['ok', false],
    ],
  );
});

const PLACES: readonly (readonly [place: string, phase: string, message: RegExp])[] = [
  ['setup', 'setup', /boom in setup/],
  ['setup-reject', 'setup', /boom in setup-reject/],
  ['setupIteration', 'setupIteration', /boom in setupIteration/],
  ['first', 'benchmark', /boom in first/],
  ['late', 'benchmark', /boom in late/],
  ['reject', 'benchmark', /boom in reject/],
  ['teardownIteration', 'teardownIteration', /boom in teardownIteration/],
  ['teardown', 'teardown', /boom in teardown/],
  ['exit-0', 'exit', /process\.exit\(\)/],
  ['exit-3', 'exit', /code 3/],
  ['abort', 'signal', /SIGABRT/],
  ['kill', 'signal', /SIGKILL/],
  ['loop', 'timeout', /did not return within|endless loop/],
  ['never-settles', 'timeout', /did not settle within|never settles/],
  ['unhandled', 'unhandledRejection', /boom unhandled/],
  ['memory', 'out-of-memory', /out of memory/],
];

for (const [place, phase, message] of PLACES) {
  test(`failing in ${place}: one sentence, exit 1, the good trial unharmed`, async (t) => {
    const cwd = scratch(t);
    const args = [
      'run',
      misbehaves,
      ...SHORT,
      '-w',
      '100ms',
      '-r',
      '100ms',
      '-p',
      `place=nowhere,${place}`,
      '-to',
      '2s',
      '--node-args=--max-old-space-size=60',
    ];
    const { code, stdout, stderr } = await tscope(args, { cwd });
    t.is(code, 1, stdout + stderr);
    const [good, bad] = theRun(cwd).result().trials;
    t.is(good!.status, 'ok');
    t.not(good!.score, null);
    t.is(bad!.failure!.phase, phase);
    t.regex(bad!.failure!.message, message);
    t.is(bad!.score, null);
    t.regex(stdout, /FAILED Misbehaves\.bad \{"place":/);
  });
}

const USAGE: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
  ['no such file', ['nowhere.bench.ts'], /^tscope: nowhere\.bench\.ts: no such file or folder\.$/m],
  ['a pattern that matches nothing', ['*.nothing'], /\*\.nothing: no file matches this pattern/],
  ['a folder without benchmarks', ['.'], /no benchmark files \(\*\*\/\*\.bench/],
  ['no suite exported', [fixture('cli/fixtures/nothing.bench.mjs')], /nothing\.bench\.mjs: no suite exported/],
  ['duplicate names', [fixture('cli/fixtures/duplicate.bench.mjs')], /two suites are named "Same"/],
  ['empty params', [fixture('cli/fixtures/empty-params.bench.mjs')], /suite "Empty", param "n": the list is empty/],
  ['a syntax error', [fixture('fixtures/broken/syntax.bench.ts')], /syntax\.bench\.ts:4:\d+/],
  ['an unknown param', [steps, '-p', 'step=3'], /-p \(--param\): no suite has a param "step"\. Did you mean "steps"\?/],
  [
    'a wrong param value',
    [steps, '-p', 'steps=many'],
    /suite "Steps", param "steps": there is no value "many"; declared: 50, 200/,
  ],
  ['an unknown flag', [steps, '--fork', '3'], /unknown option '--fork'[\s\S]*Did you mean --forks\?/],
  ['a malformed time', [steps, '-r', '5 parsecs'], /-r \(--iteration-time\): "5 parsecs" is not a time/],
  ['zero forks', [steps, '-f', '0'], /-f \(--forks\): must be a whole number of at least 1/],
  [
    'more forks than can be',
    [steps, '-f', '999999999'],
    /option "forks": 2 trials make 1999999998 forks, more than 1000000/,
  ],
  ['an unknown mode', [steps, '-bm', 'fastest'], /-bm \(--mode\): "fastest" is not a mode/],
  [
    'nothing left',
    [steps, '-e', 'walk'],
    /no benchmark is left after --only and -e \(--exclude\); there are: Steps\.walk/,
  ],
  ['a broken regexp', [steps, '-e', '('], /-e \(--exclude\): Invalid regular expression/],
  ['a wrong seed', [steps, '--seed', '-1'], /--seed: "-1" is not a whole number/],
  [
    'an output folder that does not exist',
    [steps, '--out', 'no/where.json'],
    /--out no\/where\.json: the folder .* does not exist/,
  ],
  [
    'the log in a folder that does not exist',
    [steps, '-o', 'no/log.txt'],
    /-o \(--log\) no\/log\.txt: the folder .* does not exist/,
  ],
  [
    'the log and the result in one file',
    [steps, '-o', 'a', '--out', './a'],
    /^tscope: --out and -o \(--log\) would both write to .*a; give each a file of its own\.$/m,
  ],
  [
    'the log and a format in one file',
    [steps, '-o', 'a', '-rf', 'csv=a'],
    /^tscope: -o \(--log\) and -rf csv=a would both write to .*a; give each/m,
  ],
  ['an unknown resume', ['--resume', 'never'], /--resume: there is no run "never"/],
  ['nothing to resume', ['--resume'], /--resume: no interrupted run in/],
  [
    'resume with another plan',
    ['--resume', '-f', '20'],
    /-f \(--forks\) cannot go with --resume: what is measured was fixed/,
  ],
  ['resume with a preset', ['--quick', '--resume'], /--quick cannot go with --resume/],
  [
    'a param named like what every object has',
    [steps, '-p', 'constructor=1', '-p', '__proto__=1'],
    /-p \(--param\): no suite has a param "constructor"/,
  ],
];

for (const [title, args, message] of USAGE) {
  test(`${title}: one clear message, exit 2, nothing measured`, async (t) => {
    const cwd = scratch(t);
    const { code, stdout, stderr } = await tscope(['run', ...args], { cwd });
    t.is(code, 2, stderr);
    t.regex(stderr, message);
    t.is(stdout, '');
    t.false(existsSync(join(cwd, '.tscope')));
  });
}

test('an unknown command and no command exit 2, help and version exit 0', async (t) => {
  t.regex((await tscope(['rum'])).stderr, /unknown command 'rum'[\s\S]*Did you mean run\?/);
  t.is((await tscope(['rum'])).code, 2);
  t.is((await tscope([])).code, 2);
  const help = await tscope(['run', '-h']);
  t.is(help.code, 0);
  t.regex(help.stdout, /-wi, --warmup-iterations <n>/);
  t.regex((await tscope(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a config file and the environment set options, the command line wins; mistakes name file and field', async (t) => {
  const cwd = scratch(t);
  writeFileSync(
    join(cwd, 'tscope.config.json'),
    JSON.stringify({ forks: 2, iterations: 3, warmupIterations: 0, iterationTime: '10ms', files: [steps] }),
  );
  const { code, stderr } = await tscope(['run', '-f', '1', '-p', 'steps=50'], { cwd, env: { TSCOPE_ITERATIONS: '1' } });
  t.is(code, 0, stderr);
  const { options } = theRun(cwd).result().trials[0]!;
  t.deepEqual(
    [options.forks, options.iterations, options.iterationTimeMs, options.batchSize],
    [
      { value: 1, source: 'command line' },
      { value: 1, source: 'environment' },
      { value: 10, source: 'config' },
      { value: 1, source: 'default' },
    ],
  );
  writeFileSync(join(cwd, 'tscope.config.json'), JSON.stringify({ fork: 2 }));
  const wrong = await tscope(['run', steps], { cwd });
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /tscope\.config\.json: unknown field "fork"\. Did you mean "forks"\?/);
  t.is((await tscope(['run', steps, '-l', '--no-config'], { cwd })).code, 0);
});

test('--allow and `allow` of a config file silence a finding by its id, on the screen and in the result', async (t) => {
  const args = ['run', steps, ...SHORT, '-p', 'steps=50'];
  const told = async (more: readonly string[], config?: object) => {
    const cwd = scratch(t);
    if (config !== undefined) writeFileSync(join(cwd, 'tscope.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await tscope([...args, ...more], { cwd });
    t.is(code, 0, stderr);
    const { findings, trials } = theRun(cwd).result();
    const ids = [...findings, ...trials[0]!.findings].map(({ id }) => id);
    t.is(stdout.includes('[too-few-forks]'), ids.includes('too-few-forks'), stdout);
    return ids.includes('too-few-forks');
  };
  t.true(await told([]));
  t.true(await told(['--allow', 'too-few', '--allow', 'not-pinned']), 'another id, and no part of one');
  t.false(await told(['--allow', 'not-pinned,too-few-forks']));
  t.false(await told([], { allow: ['too-few-forks'] }));
  t.false(await told(['--allow', 'not-pinned'], { allow: ['too-few-forks'] }), 'both together');
});

test('a result folder that cannot be written is refused before measuring', async (t) => {
  const cwd = scratch(t);
  // A file where the folder should be: root ignores permissions, but not this.
  writeFileSync(join(cwd, '.tscope'), '');
  const { code, stderr } = await tscope(['run', steps, ...SHORT], { cwd });
  t.is(code, 2);
  t.regex(stderr, /\.tscope/);
  if (process.getuid?.() !== 0) {
    const other = scratch(t);
    mkdirSync(join(other, '.tscope'));
    chmodSync(join(other, '.tscope'), 0o500);
    t.is((await tscope(['run', steps, ...SHORT], { cwd: other })).code, 2);
  }
});

/** Waits until the journal tells of `count` finished forks. */
async function untilForks(cwd: string, count: number): Promise<void> {
  for (;;) {
    try {
      const journal = readFileSync(join(theRun(cwd).dir, 'journal.jsonl'), 'utf8');
      if (journal.split('\n').filter((line) => line.includes('"type":"end"')).length >= count) return;
    } catch {
      // Not there yet.
    }
    await sleep(20);
  }
}

const SIX_FORKS = ['run', steps, '-f', '3', '-wi', '1', '-w', '50ms', '-i', '2', '-r', '50ms', '--seed', '5'];

test('SIGKILL of the host in the middle, then --resume: the full result, no finished fork repeated', async (t) => {
  const cwd = scratch(t);
  const killed = start(SIX_FORKS, { cwd });
  await untilForks(cwd, 2);
  killed.child.kill('SIGKILL');
  t.is((await killed.finished).signal, 'SIGKILL');
  const { dir } = theRun(cwd);
  const starts = () =>
    readFileSync(join(dir, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"start"')).length;
  const before = starts();
  const { code, stdout, stderr } = await tscope(['run', '--resume'], { cwd });
  t.is(code, 0, stderr);
  t.regex(stdout, /Steps\.walk +200 +avgt +3/);
  const result = theRun(cwd).result();
  t.is(result.status, 'complete');
  t.deepEqual(
    result.trials.map(({ forks }) => forks.length),
    [3, 3],
  );
  t.is(new Set(result.trials.flatMap(({ forks }) => forks.map(({ runtime }) => runtime!.pid))).size, 6);
  // At most the fork in flight ran twice.
  t.true(starts() - before <= 6 - 2);
  const again = await tscope(['run', '--resume'], { cwd });
  t.is(again.code, 2, 'there is nothing left to resume');
});

test('ctrl-C keeps what is done, says how to go on, exits 130', async (t) => {
  const cwd = scratch(t);
  const run = start(SIX_FORKS, { cwd });
  await untilForks(cwd, 2);
  run.child.kill('SIGINT');
  const { code, stdout } = await run.finished;
  t.is(code, 130);
  t.regex(stdout, /Interrupted: .*tscope run --resume/);
  const partial = theRun(cwd).result();
  t.is(partial.status, 'interrupted');
  const done = partial.trials.flatMap(({ forks }) => forks).length;
  t.true(done >= 2 && done < 6);
  t.is((await tscope(['run', '--resume', partial.id], { cwd })).code, 0);
  t.is(theRun(cwd).result().status, 'complete');
});

test('a result that cannot be written at the end is kept elsewhere, and said so', async (t) => {
  const cwd = scratch(t);
  const run = start([...SIX_FORKS, '-p', 'steps=50'], { cwd, env: { TMPDIR: cwd } });
  await untilForks(cwd, 1);
  // A folder where the file should be: root ignores permissions, but not this.
  mkdirSync(join(theRun(cwd).dir, 'result.json'));
  const { code, stderr } = await run.finished;
  t.is(code, 1);
  t.regex(stderr, /result\.json: cannot be written/);
  const spare = /The result is in (.+)\.\n/.exec(stderr)![1]!;
  t.is(readResult(spare).trials[0]!.forks.length, 3);
});

test('a fork that is stopped for 300 ms inside an iteration shows the gap', async (t) => {
  const cwd = scratch(t);
  const run = start(
    ['run', steps, '-p', 'steps=200', '-f', '1', '-wi', '1', '-w', '100ms', '-i', '1', '-r', '1500ms'],
    { cwd },
  );
  let pid: number | null = null;
  while (pid === null) {
    await sleep(20);
    try {
      const journal = readFileSync(join(theRun(cwd).dir, 'journal.jsonl'), 'utf8');
      // "warm" is said right before the first measured iteration.
      if (journal.includes('"type":"warm"')) pid = Number(/"pid":(\d+)/.exec(journal)![1]);
    } catch {
      // Not there yet.
    }
  }
  await sleep(300);
  process.kill(pid, 'SIGSTOP');
  await sleep(300);
  process.kill(pid, 'SIGCONT');
  t.is((await run.finished).code, 0);
  const [iteration] = theRun(cwd).result().trials[0]!.forks[0]!.iterations;
  t.true(iteration!.gaps.worstNs >= 280e6, `worst gap ${iteration!.gaps.worstNs / 1e6} ms`);
  t.true(iteration!.tags.includes('gap'));
  t.true(iteration!.chunks!.medianNs < 0.9 * iteration!.score!, 'the median chunk does not pay for the gap');
});

// A file that loads for long was waited for to its limit of 30 s, and the answer was that of a mistake in it.
for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} while a file loads ends at once and says that nothing was measured`, async (t) => {
    const cwd = scratch(t);
    writeFileSync(
      join(cwd, 'endless.bench.mjs'),
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('loading', '');\nfor (;;) {}\n",
    );
    for (const command of ['run', 'plan']) {
      const { child, finished } = start([command, 'endless.bench.mjs', '--no-config'], { cwd });
      for (let i = 0; i < 1000 && !existsSync(join(cwd, 'loading')); i++) await sleep(10);
      child.kill(signal);
      const { code, stdout, stderr } = await finished;
      t.is(code, expected, command);
      t.is(stdout, '');
      t.is(stderr, 'tscope: interrupted while files were loaded; nothing was measured.\n');
      rmSync(join(cwd, 'loading'));
    }
  });
}

test('work that the optimiser removes has a row marked so, with what to change; work that is returned has none', async (t) => {
  const cwd = scratch(t);
  const only = ['--only', 'constant|kept$', '-f', '1', '-i', '1', '-r', '20ms', '--no-config'];
  const { code, stdout } = await tscope(['run', fixture('cli/fixtures/removable.bench.ts'), ...only], { cwd });
  t.is(code, 0, stdout);
  t.regex(stdout, /\[eliminated\] Removable\.constant: .*[Rr]eturn the result/);
  t.notRegex(stdout, /\[(eliminated|below-floor)\] Removable\.kept/);
});
