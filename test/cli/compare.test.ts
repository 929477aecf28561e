/** `tscope compare` as a user meets it: files, exit codes, refusals, JSON; and the comparison that `tscope run` prints. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Comparison } from '#lib/analysis/compare/index.js';
import { formatResult } from '#lib/result/index.js';
import type { Trial } from '#lib/result/model.js';
import { fixture, SHORT, scratch, tscope } from '../support/cli.js';
import { around, resultOf, trialOf } from '../support/compare.js';
import { environment } from '../support/result.js';

const base = around(100, 0.003);

/** A trial that lost `share` of its time: its scores are `level` without it. */
function robbed(level: number, share: number): Trial {
  const of = trialOf(around(level / (1 - share), 0.003));
  const forks = of.forks.map((fork) => ({
    ...fork,
    iterations: fork.iterations.map((i) => ({
      ...i,
      aware: { score: i.score! * (1 - share), excludedNs: i.elapsedNs * share, excludedChunks: 1 },
    })),
  }));
  return { ...of, forks };
}

const files: Record<string, string> = {
  'base.json': formatResult(resultOf([trialOf(base)])),
  'same.json': formatResult(resultOf([trialOf(around(100, 0.003, 4))])),
  'better.json': formatResult(resultOf([trialOf(around(90, 0.003))])),
  'worse.json': formatResult(resultOf([trialOf(around(110, 0.003))])),
  'calm.json': formatResult(resultOf([robbed(100, 0)])),
  'robbed.json': formatResult(resultOf([robbed(90, 0.3)])),
  'noisy.json': formatResult(resultOf([trialOf(around(101, 0.05))])),
  'other-node.json': formatResult(resultOf([trialOf(base)], { environment: { ...environment, node: '22.0.0' } })),
  'other-name.json': formatResult(resultOf([trialOf(base, { benchmark: 'g' })])),
  'arms.json': formatResult(
    resultOf([
      trialOf(base, { benchmark: 'old', baseline: true }),
      trialOf(around(120, 0.003, 2), { benchmark: 'new' }, 1),
    ]),
  ),
};

function folder(t: Parameters<typeof scratch>[0]): string {
  const cwd = scratch(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const text = files['base.json']!;
  writeFileSync(join(cwd, 'cut.json'), text.slice(0, 3000));
  writeFileSync(join(cwd, 'empty.json'), '');
  writeFileSync(join(cwd, 'marked.json'), `\ufeff${text}`);
  writeFileSync(join(cwd, 'infinite.json'), text.replace(/"wallMs": ?[\d.]+/, '"wallMs": 1e400'));
  const edited = (name: string, edit: (result: Record<string, unknown>) => void) => {
    const result = JSON.parse(text) as Record<string, unknown>;
    edit(result);
    writeFileSync(join(cwd, name), JSON.stringify(result));
  };
  edited('unversioned.json', (result) => delete result.version);
  edited('lacking.json', (result) => delete (result.trials as { mode?: string }[])[0]!.mode);
  edited('edited.json', (result) => {
    (result.environment as { cpuCount: unknown }).cpuCount = '\u001b[31m';
  });
  return cwd;
}

test('exit codes: 0, 1 on regressed, 4 on inconclusive with --strict, 2 on what cannot be compared', async (t) => {
  const cwd = folder(t);
  const cases: [string[], number, RegExp][] = [
    [['base.json', 'same.json'], 0, /equivalent/],
    [['base.json', 'better.json', '--strict'], 0, /improved/],
    [['marked.json', 'better.json'], 0, /improved/],
    [['base.json', 'better.json', '--confidence', '99.99999999999999%'], 0, /improved|inconclusive/],
    [['base.json', 'worse.json'], 1, /regressed/],
    [['base.json', 'noisy.json'], 0, /inconclusive.* +\d+\n/],
    [['base.json', 'noisy.json', '--strict'], 4, /inconclusive/],
    [['base.json', 'worse.json', '--delta', '20%'], 0, /equivalent/],
    [['base.json', 'other-node.json', '--force'], 0, /Node: 24\.0\.0 against 22\.0\.0/],
    [['calm.json', 'robbed.json'], 1, /regressed +0\.9000 improved\n/],
    [['calm.json', 'robbed.json', '--score', 'plain'], 1, /of the plain score/],
    [
      ['calm.json', 'robbed.json', '--score', 'aware'],
      0,
      /improved +1\.2857 regressed\n[\s\S]*interference-aware score/,
    ],
    [['base.json', 'better.json', '--score', 'aware', '--strict'], 4, /inconclusive \(no-aware-score\)/],
    [['arms.json'], 1, /S\.new \/ old .* regressed/],
  ];
  for (const [args, code, said] of cases) {
    const { code: got, stdout, stderr } = await tscope(['compare', ...args], { cwd });
    t.is(got, code, `${args.join(' ')}: ${stderr}`);
    t.regex(stdout, said, args.join(' '));
    t.is(stderr, '');
  }
  const refused: [string[], RegExp][] = [
    [['base.json', 'other-node.json'], /not alike.*\n.*Node: 24\.0\.0 against 22\.0\.0\n.*--force/],
    [['base.json', 'other-name.json'], /no trial in common .*S\.f \[avgt\] on one side, S\.g \[avgt\] on the other/],
    [['base.json', 'cut.json'], /cut\.json: not complete JSON/],
    [['base.json', 'empty.json'], /empty\.json: not complete JSON/],
    [['base.json', 'lacking.json'], /lacking\.json: damaged at trials\.0\.mode: it is missing\.\n$/],
    [
      ['base.json', 'edited.json'],
      /edited\.json: damaged at environment\.cpuCount: expected a number, found " ?\S*\[31m"\.\n$/,
    ],
    [
      ['base.json', 'infinite.json'],
      /damaged at trials\.0\.forks\.0\.wallMs: expected a number, found a number too large to be held\.\n$/,
    ],
    [['base.json', 'unversioned.json'], /no result version is named; this tscope reads 1\.x/],
    [['base.json', '.'], /cannot be read \(EISDIR/],
    [['base.json', 'none.json'], /none\.json: no such result file/],
    [['base.json'], /no suite has a baseline/],
    [['base.json', 'same.json', '--delta', '5'], /--delta: "5" .*Did you mean 5%/],
    [['base.json', 'same.json', '--confidence', 'high'], /--confidence: "high"/],
    [['base.json', 'same.json', '--method', 'log-detla'], /--method: .*Did you mean "log-delta"/],
    [
      ['base.json', 'same.json', '--score', 'awre'],
      /--score: "awre" is not one of plain, aware\..*Did you mean "aware"/,
    ],
    [['base.json', 'same.json', '--method', 'paired'], /--method paired needs both arms in one run/],
    [[], /name two result files/],
  ];
  for (const [args, said] of refused) {
    const { code, stdout, stderr } = await tscope(['compare', ...args], { cwd });
    t.is(code, 2, args.join(' '));
    t.regex(stderr, said);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of a file may reach the terminal.
    t.notRegex(stderr, /undefined|Infinity|NaN|\u001b|\n {4}at /);
    t.is(stdout, '');
  }
});

test('--json prints the comparison and nothing else; --allow silences a note', async (t) => {
  const jmh = ['before', 'after'].map((name) => fixture(`fixtures/jmh/${name}.json`));
  const { code, stdout } = await tscope(['compare', ...jmh, '--json', '--allow', 'holm']);
  t.is(code, 1);
  const comparison = JSON.parse(stdout) as Comparison;
  t.is(comparison.format, 'tscope-comparison');
  t.is(comparison.rows.length, 8);
  t.deepEqual(
    comparison.notes.map(({ id }) => id),
    ['jmh-forks'],
  );
  t.true(comparison.rows.every((row) => row.notes.every(({ id }) => id !== 'holm')));
  const silenced = await tscope(['compare', ...jmh, '--json', '--allow', 'jmh-forks']);
  t.deepEqual((JSON.parse(silenced.stdout) as Comparison).notes, []);
});

test('a run of a suite with a baseline prints the comparison below the table, and its own file compares alike', async (t) => {
  const cwd = scratch(t);
  const file = fixture('cli/fixtures/two-arms.bench.ts');
  const { code, stdout, stderr } = await tscope(['run', file, ...SHORT, '-f', '3', '--out', 'r.json'], { cwd });
  t.is(code, 0, stderr);
  t.regex(stdout, /Arms\.long \/ short .*\d\.\d+ {2}\[\d/);
  const again = await tscope(['compare', 'r.json'], { cwd });
  const line = (text: string) => /^Arms\.long \/ short.*$/m.exec(text)?.[0];
  t.is(line(again.stdout), line(stdout));
  t.not(line(stdout), undefined);
  // Three forks of 20 ms on a busy machine may not decide; what matters is that exit code and verdict say the same.
  // The column of the aware ratio may name another verdict; the one behind the interval counts.
  t.is(again.code, /\] +regressed/.test(line(stdout)!) ? 1 : 0);
  t.true(readFileSync(join(cwd, 'r.json'), 'utf8').includes('"baseline": true'));
});
