/** Formats as a user asks for them: `-rf`, `-rff`, `tscope report`; what cannot be written is refused before anything is. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { formatResult, readResult } from '#lib/result/index.js';
import { fixture, SHORT, scratch, tscope } from '../support/cli.js';
import { formatsRun } from '../support/formats.js';

const golden = (name: string) => readFileSync(fixture(`golden/formats/${name}`), 'utf8');

function folder(t: Parameters<typeof scratch>[0]): string {
  const cwd = scratch(t);
  writeFileSync(join(cwd, 'r.json'), formatResult(formatsRun()));
  return cwd;
}

test('report: several formats at once, one to standard output and nothing else there', async (t) => {
  const cwd = folder(t);
  const args = ['report', 'r.json', '-rf', 'json=a.json', '-rf', 'CSV=-', '-rf', 'scsv', '-rf', 'tscope=b.json'];
  const { code, stdout, stderr } = await tscope(args, { cwd });
  t.is(code, 0, stderr);
  t.is(stdout, golden('csv.csv'));
  t.is(stderr, 'tscope: -rf json: Queue.broken has no score and is left out.\n');
  t.deepEqual(readdirSync(cwd).sort(), ['a.json', 'b.json', 'jmh-result.scsv', 'r.json']);
  t.is(readFileSync(join(cwd, 'a.json'), 'utf8'), golden('json.json'));
  t.deepEqual(readResult(join(cwd, 'b.json')), readResult(join(cwd, 'r.json')));
});

test('report: the report itself without -rf; the spelling of JMH', async (t) => {
  const cwd = folder(t);
  t.is((await tscope(['report', 'r.json'], { cwd })).stdout, golden('text.text'));
  t.is((await tscope(['report', 'r.json', '-rf', 'json', '-rff', 'x.json'], { cwd })).stdout, '');
  t.is(readFileSync(join(cwd, 'x.json'), 'utf8'), golden('json.json'));
  await tscope(['report', 'r.json', '-rff', 'x.txt'], { cwd });
  t.is(readFileSync(join(cwd, 'x.txt'), 'utf8'), golden('csv.csv'));
});

test('refused with one sentence and exit code 2, and nothing is written', async (t) => {
  const cwd = folder(t);
  mkdirSync(join(cwd, 'sub'));
  symlinkSync('r.json', join(cwd, 'link.json'));
  const before = readdirSync(cwd).sort();
  const cases: [string[], RegExp][] = [
    [['-rf', 'jsonn=a'], /"jsonn" is not a format\. Did you mean "json"\?/],
    [['-rf', 'word'], /"word" is not a format\. Formats: text, csv, scsv, json, latex, md/],
    [['-rf', 'json='], /name a file after the =/],
    [['-rf', 'json=no/a.json'], /-rf json no\/a\.json: the folder .*no does not exist/],
    [['-rf', 'json=sub'], /it is a folder/],
    [['-rf', 'json=a', '-rf', 'csv=./sub/../a'], /-rf json=a and -rf csv=.* would both write to .*a; give each/],
    [['-rf', 'json=-', '-rf', 'csv=-'], /would both write to standard output/],
    [['-rf', 'json=r.json'], /the result file and -rf json=r\.json would both/],
    [['-rf', 'json=link.json'], /the result file and -rf json=link\.json would both/],
    [['-rf', 'json', '-rf', 'csv', '-rff', 'a'], /there are 2/],
    [['-rf', 'json=a', '-rff', 'b'], /there is none/],
    [['-rff', 'a.json'], /without -rf .* the format is csv, as in JMH; add -rf json/],
  ];
  for (const [args, said] of cases) {
    // A good output before the bad one must not be written either; -rff counts them.
    const good = args.includes('-rff') ? [] : ['-rf', 'scsv=ok.scsv'];
    const { code, stdout, stderr } = await tscope(['report', 'r.json', ...good, ...args], { cwd });
    t.is(code, 2, args.join(' '));
    t.regex(stderr, said);
    t.is(stderr.trimEnd().split('\n').length, 1, stderr);
    t.is(stdout, '');
    t.deepEqual(readdirSync(cwd).sort(), before, args.join(' '));
  }
  const jmh = await tscope(['report', fixture('fixtures/jmh/before.json')], { cwd });
  t.is(jmh.code, 2);
  t.regex(jmh.stderr, /a result file of JMH/);
});

test('a link is followed, a device is written to and stays', async (t) => {
  const cwd = folder(t);
  mkdirSync(join(cwd, 'kept'));
  symlinkSync('kept/real.csv', join(cwd, 'link.csv'));
  writeFileSync(join(cwd, 'kept/real.csv'), 'old');
  const { code, stderr } = await tscope(['report', 'r.json', '-rf', 'csv=link.csv', '-rf', 'scsv=/dev/null'], { cwd });
  t.is(code, 0, stderr);
  t.is(readFileSync(join(cwd, 'kept/real.csv'), 'utf8'), golden('csv.csv'));
  t.true(lstatSync(join(cwd, 'link.csv')).isSymbolicLink());
  t.true(lstatSync('/dev/null').isCharacterDevice());
});

test('the step summary is added to the file that GitHub names; one that cannot be written fails nothing', async (t) => {
  const cwd = folder(t);
  const summary = join(cwd, 'summary.md');
  writeFileSync(summary, 'before\n');
  const asked = await tscope(['report', 'r.json', '-rf', 'github'], { cwd, env: { GITHUB_STEP_SUMMARY: summary } });
  t.is(asked.code, 0, asked.stderr);
  t.is(readFileSync(summary, 'utf8'), `before\n${golden('github.md')}`);
  const unset = await tscope(['report', 'r.json', '-rf', 'github'], { cwd });
  t.is(unset.code, 2);
  t.regex(unset.stderr, /GITHUB_STEP_SUMMARY is not set, so name a file: -rf github=FILE/);
  const run = (file: string) =>
    tscope(['run', fixture('cli/fixtures/steps.bench.ts'), ...SHORT], { cwd, env: { GITHUB_STEP_SUMMARY: file } });
  const first = await run(summary);
  t.is(first.code, 0, first.stderr);
  t.regex(readFileSync(summary, 'utf8'), /### tscope: 2 trials\n\n\| Benchmark \| steps \|/);
  t.regex(first.stdout, /Benchmark +\(steps\)/, 'beside the report');
  const none = await run(join(cwd, 'no/summary.md'));
  t.is(none.code, 0);
  t.regex(none.stderr, /summary\.md: cannot be written .* The data are in .*result\.json/);
});

test('run: formats beside the report, or instead of it on standard output; clashes are found before measuring', async (t) => {
  const cwd = scratch(t);
  const steps = fixture('cli/fixtures/steps.bench.ts');
  const clash = await tscope(['run', steps, ...SHORT, '--out', 'a.json', '-rf', 'json=a.json'], { cwd });
  t.is(clash.code, 2);
  t.regex(clash.stderr, /--out and -rf json=a\.json would both write/);
  t.is((await tscope(['run', steps, ...SHORT, '--json', '-rf', 'csv=-'], { cwd })).code, 2);
  t.deepEqual(readdirSync(cwd), []);
  const { code, stdout, stderr } = await tscope(['run', steps, ...SHORT, '-rf', 'csv=-', '-rf', 'json=o.json'], {
    cwd,
  });
  t.is(code, 0, stderr);
  t.regex(stdout, /^"Benchmark",/);
  t.is(stdout.trimEnd().split('\r\n').length, 3);
  t.is((JSON.parse(readFileSync(join(cwd, 'o.json'), 'utf8')) as unknown[]).length, 2);
});
