/** Kept runs as a user meets them: history, saved baselines, their refusals. */
import { constants } from 'node:buffer';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { ROOT, SHORT, scratch, tscope } from '../support/cli.js';

const TSCOPE = pathToFileURL(join(ROOT, 'dist/index.js')).href;

const bench = (steps: number) => `
import { suite } from ${JSON.stringify(TSCOPE)};
export default suite('Walk', {
  benchmarks: {
    steps() {
      let value = ${steps};
      for (let i = 0; i < ${steps}; i++) value = (Math.imul(value, 31) + i) | 0;
      return value;
    },
  },
});`;

// Three forks on a busy machine vary a lot: only doubled cost counts as a change here.
const COARSE = ['--delta', '95%'];

test('runs are kept, named, compared with their name, and make a history', async (t) => {
  const cwd = scratch(t);
  const file = join(cwd, 'walk.bench.mjs');
  const run = (...args: string[]) => tscope(['run', file, ...SHORT, '-f', '3', ...args], { cwd });
  writeFileSync(file, bench(50));

  t.is((await run('--baseline', 'main')).code, 2, 'no such baseline yet');
  const first = await run('--save-baseline', 'main');
  t.is(first.code, 0, first.stderr);
  const lonely = await tscope(['compare', '--baseline', 'main'], { cwd });
  t.is(lonely.code, 2);
  t.regex(lonely.stderr, /no run is newer/);

  writeFileSync(file, bench(5000));
  const worse = await run('--baseline', 'main', ...COARSE);
  t.is(worse.code, 1, worse.stdout + worse.stderr);
  t.regex(worse.stdout, /Walk\.steps .* regressed/);
  const later = await tscope(['compare', '--baseline', 'main', ...COARSE], { cwd });
  t.is(later.code, 1);
  t.regex(later.stdout, /# Baseline +main .*\n# Candidate +latest run/);

  // Where nothing tells what took time (not Linux) there is no such score, and the row says so.
  const aware = await tscope(['compare', '--baseline', 'main', '--score', 'aware', ...COARSE], { cwd });
  t.regex(aware.stdout, /interference-aware score|no-aware-score/);
  const mistyped = await run('--baseline', 'main', '--score', 'awre');
  t.deepEqual([mistyped.code, mistyped.stdout], [2, '']);

  const unlike = await run('--baseline', 'main', '--opaque');
  t.is(unlike.code, 2);
  t.regex(unlike.stderr, /option opaque: false against true/);
  t.is(unlike.stdout, '', 'refused before anything is measured');

  const all = await tscope(['history'], { cwd });
  t.is(all.code, 0);
  t.regex(all.stdout, /Walk\.steps +avgt .* 2 +[\d.]+ +ns\/op/);
  const one = await tscope(['history', 'steps', '--json'], { cwd });
  t.is(JSON.parse(one.stdout).series[0].points.length, 2);
  const unknown = await tscope(['history', 'Walk.step5'], { cwd });
  t.is(unknown.code, 2);
  t.regex(unknown.stderr, /no benchmark "Walk\.step5" is kept\. Did you mean "Walk\.steps"/);

  const modes = [
    [['--mode', 'sample'], /nothing is kept in mode "sample"; there is: avgt\./],
    [['steps', '--mode', 'ss'], /"steps" is kept, but not in mode "ss"; there is: avgt\./],
  ] as const;
  for (const [args, said] of modes) {
    const other = await tscope(['history', ...args], { cwd });
    t.is(other.code, 2);
    t.regex(other.stderr, said);
  }

  const index = join(cwd, '.tscope/index.jsonl');
  const before = readFileSync(index, 'utf8');
  writeFileSync(index, before.slice(0, -30));
  const torn = await tscope(['history', 'Walk.steps'], { cwd });
  t.regex(torn.stderr, /1 line of the index cannot be read/);
  t.is((await tscope(['history', '--rebuild'], { cwd })).code, 0);
  t.is(readFileSync(index, 'utf8'), before);
});

test('a run in which something failed is not saved under a name', async (t) => {
  const cwd = scratch(t);
  const file = join(cwd, 'walk.bench.mjs');
  writeFileSync(file, bench(50).replace('let value', "throw new Error('no'); let value"));
  const failed = await tscope(['run', file, ...SHORT, '--save-baseline', 'main'], { cwd });
  t.is(failed.code, 1);
  t.regex(failed.stderr, /not saved as "main"/);
  t.is((await tscope(['run', file, ...SHORT, '--save-baseline', '../x'], { cwd })).code, 2);
  t.is((await tscope(['history'], { cwd: scratch(t) })).code, 2);
});

test('what the file system refuses is one sentence and exit code 2, without a stack', async (t) => {
  const cwd = scratch(t);
  mkdirSync(join(cwd, '.tscope/index.jsonl'), { recursive: true });
  mkdirSync(join(cwd, '.tscope/runs/a'), { recursive: true });
  for (const args of [[], ['S.f'], ['--json'], ['--rebuild']]) {
    const { code, stdout, stderr } = await tscope(['history', ...args], { cwd });
    t.is(code, 2, args.join(' '));
    t.is(stdout, '');
    t.regex(stderr, /^tscope: .*EISDIR[^\n]*\n$/, args.join(' '));
  }
  rmSync(join(cwd, '.tscope'), { recursive: true });
  mkdirSync(join(cwd, '.tscope'));
  // A file with holes: larger than any text can be, and nearly nothing on the disk.
  const huge = join(cwd, '.tscope/index.jsonl');
  writeFileSync(huge, '');
  truncateSync(huge, constants.MAX_STRING_LENGTH + 1);
  const large = await tscope(['history'], { cwd });
  t.is(large.code, 2);
  t.regex(large.stderr, /^tscope: .*index\.jsonl: cannot be read \([^\n]*\)\.\n$/);
  rmSync(huge);
  writeFileSync(join(cwd, '.tscope/runs'), '');
  const file = await tscope(['history', '--rebuild'], { cwd });
  t.is(file.code, 2);
  t.regex(file.stderr, /^tscope: .*a file is where a folder is needed\.\n$/);
});
