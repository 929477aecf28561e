/** Names, params and messages that hurt formats come back unharmed from every format, read by somebody else. */
import test from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { REPORTERS } from '#lib/report/formats/index.js';
import { parseResult } from '#lib/result/index.js';
import { inFormat, namedRun } from '../../support/formats.js';
import { HOSTILE, type Names } from '../../support/hostile.js';
import {
  goParts,
  readGoBenchmarks,
  readLatex,
  readMarkdown,
  readTeamCity,
  readXml,
  type Xml,
} from '../../support/read-back.js';

const format = (id: string, names: Names): string => inFormat(id, namedRun(...names));

/** Control characters, and in plain text the other ends of a line. */
const CONTROL = /[\p{Cc}]/gu;
const flat = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** What formats show of characters that they cannot carry. */
const shown = (text: string): string =>
  text.replace(CONTROL, (c) => (/[\t\n\r]/.test(c) ? c : escaped(c))).replace(/[\ufffe\uffff]/g, escaped);
const escaped = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Line ends are one kind of break in Markdown and LaTeX. */
const broken = (text: string): string => shown(text).replace(/\r\n|[\r\u2028\u2029]/g, '\n');

const label = ([suite, benchmark, param, value]: Names) => `${suite}.${benchmark}(${param}=${value})`;

/** By format: what it says of the names, and what it should say. */
const READERS: Readonly<Record<string, (names: Names) => readonly [said: unknown, meant: unknown]>> = {
  json: (names) => {
    const [entry] = JSON.parse(format('json', names)) as [{ benchmark: string; params: Record<string, string> }];
    const [suite, benchmark, param, value] = names;
    return [
      [entry.benchmark, Object.entries(entry.params)],
      [`bench.lookup.${suite}.${benchmark}`, [[param, value]]],
    ];
  },
  csv: (names) => readCsv(names, 'csv', ','),
  scsv: (names) => readCsv(names, 'scsv', ';'),
  latex: (names) => {
    const [head, row] = readLatex(format('latex', names)) as [string[], string[]];
    const [suite, benchmark, param, value] = names;
    return [[head[1], row[0], row[1]], [param, `${suite}.${benchmark}`, value].map(broken)];
  },
  md: (names) => readMd(names, 'md'),
  github: (names) => readMd(names, 'github'),
  gobench: (names) => {
    const { lines, fails } = readGoBenchmarks(format('gobench', names));
    const [suite, benchmark, param, value] = names;
    const failed = goParts(fails[0]!.slice('Benchmark'.length, -'-1'.length));
    const of = (mode: string[]) => [suite, benchmark, ...mode, `${param}=${value}`];
    return [
      [lines.length, new Set(lines.map(({ name }) => name)).size, goParts(lines[0]!.name), failed],
      [3, 1, of([]), of(['mode=ss'])],
    ];
  },
  bmf: (names) => [Object.keys(JSON.parse(format('bmf', names)) as object), [label(names)]],
  'github-action': (names) => {
    const entries = JSON.parse(format('github-action', names)) as { name: string }[];
    return [entries.map(({ name }) => name), [label(names)]];
  },
  junit: (names) => {
    const root = readXml(format('junit', names));
    const [suites] = root.testsuites as [Xml];
    const [suite] = suites.testsuite as [Xml];
    const cases = suite.testcase as Xml[];
    const [error] = cases[1]!.error as [Xml];
    return [
      [suite.name, cases.map(({ name }) => name), error.message],
      [names[0], [label(names), `${label(names)} [ss]`], names[4]].map((text) =>
        Array.isArray(text) ? text.map(shown) : shown(text!),
      ), // prettier-ignore
    ];
  },
  teamcity: (names) => {
    const messages = readTeamCity(format('teamcity', names));
    return [
      [messages[0]!.attributes.key, messages.at(-1)!.attributes.description],
      [`${label(names)}, ns/op`, `${label(names)} [ss]: benchmark: ${names[4]}`],
    ];
  },
  tscope: (names) => {
    const { trials } = parseResult(format('tscope', names), 'own');
    const [{ suite, benchmark, params }, { failure }] = trials as unknown as [
      { suite: string; benchmark: string; params: object },
      { failure: { message: string } },
    ]; // prettier-ignore
    return [[suite, benchmark, ...Object.entries(params).flat(), failure.message], [...names]];
  },
  text: (names) => {
    // Plain text shows control characters and line ends as one blank; it is for eyes.
    const lines = format('text', names).split('\n');
    const table = lines.findIndex((line) => line.startsWith('Benchmark '));
    const [suite, benchmark, param, value, message] = names.map(flat) as unknown as Names;
    // A value as long as a document is cut in the table, which says so.
    const cell = value.length > 80 ? `${value.slice(0, 60)}... (${value.length} characters)` : value;
    return [
      [
        lines[table]!.includes(`(${param})`),
        lines[table + 1]!.startsWith(flat(`${names[0]}.${names[1]}`).trimEnd()) && lines[table + 1]!.includes(cell),
        lines.some((line) => line.startsWith(`FAILED ${suite}.${benchmark}`) && line.endsWith(message)),
      ],
      [true, true, true],
    ];
  },
};

function readCsv(names: Names, id: string, delimiter: string): readonly [unknown, unknown] {
  const rows = parse(format(id, names), { delimiter, record_delimiter: '\r\n' }) as string[][];
  const [suite, benchmark, param, value] = names;
  return [
    [rows.length, rows[0]!.at(-1), rows[1]![0], rows[1]!.at(-1)],
    [3, `Param: ${param}`, `bench.lookup.${suite}.${benchmark}`, value],
  ];
}

function readMd(names: Names, id: string): readonly [unknown, unknown] {
  const { tables, html } = readMarkdown(format(id, names));
  const [head, row] = tables[0]! as [string[], string[]];
  const [suite, benchmark, param, value] = names;
  return [
    [tables[0]!.length, head[1], row.slice(0, 2), /<script/i.test(html)],
    [3, broken(param), [`${suite}.${benchmark}`, value].map(broken), false],
  ];
}

test('every format has a reader here', (t) => {
  // The other half of github-action has the same writer and no trial that is better when bigger here.
  t.deepEqual([...Object.keys(READERS), 'github-action-bigger'].sort(), REPORTERS.map(({ id }) => id).sort());
});

for (const [id, read] of Object.entries(READERS)) {
  test(`${id}: names that hurt`, (t) => {
    for (const [kind, names] of Object.entries(HOSTILE)) {
      const [said, meant] = read(names);
      t.deepEqual(said, meant, kind);
    }
  });

  test(`${id}: any names`, (t) => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'"\'`|\\,;=\n\r\t &<>[]{}()#*_~$%@/-.:1a'), maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    const name = unit.filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, name, name, unit, unit, (...names) => {
        const [said, meant] = read(names);
        t.deepEqual(said, meant);
      }),
      { numRuns: 60, seed: 20260101 },
    );
  });
}
