import type { Comparison, ComparisonRow, Difference, RunLabel } from '../analysis/compare/types.js';
import type { RatioMethod } from '../stats/ratio/types.js';
import { type Column, layout, oneLine } from './columns.js';
import { type Look, PLAIN, painter, wrapped } from './look.js';
import { paramColumns, paramSuffix } from './params.js';
import { fixed3 } from './units.js';

/** Formats comparisons; every number and verdict is there before. */

const METHODS: Readonly<Record<RatioMethod, string>> = {
  'log-delta': 'log-delta on fork scores',
  'log-means': 'Welch on logarithms of fork scores',
  fieller: 'Fieller on fork scores',
  paired: 'paired by round',
  duet: 'duet',
  quantile: 'Welch on logarithms of fork quantiles',
  'bootstrap-percentile': 'bootstrap of forks',
  'bootstrap-bca': 'bootstrap of forks, BCa',
  'hodges-lehmann': 'Hodges-Lehmann',
  'geometric-mean': 'geometric mean',
};

/** A ratio with four decimals, or four significant digits far from 1. */
export function ratioText(ratio: number): string {
  return ratio >= 0.1 && ratio < 10 ? ratio.toFixed(4) : ratio.toPrecision(4);
}

const intervalText = (interval: readonly [number, number] | null): string =>
  interval === null ? '' : `[${interval.map(ratioText).join(', ')}]`;

const percentText = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;

/** `Suite.a`, or `Suite.a / b` for two benchmarks of a suite. */
function rowName({ kind, suite, baseline, candidate }: ComparisonRow): string {
  if (kind === 'across') return candidate.name;
  const other = baseline.name.startsWith(`${suite}.`) ? baseline.name.slice(suite.length + 1) : baseline.name;
  return `${kind === 'winner' ? 'winner ' : ''}${candidate.name} / ${other}`;
}

const READING = { 'better-or-same': ' (better or same)', 'worse-or-same': ' (worse or same)' } as const;

/** Without direction there is no verdict: a dash, starred when the counts really differ. */
function verdictText({ status, verdict, reading, excludesOne }: ComparisonRow): string {
  if (status !== 'ok' && status !== 'constant') return `${verdict ?? '-'} (${status})`;
  if (verdict === null) return excludesOne ? '-*' : '-';
  const leaning =
    verdict === 'inconclusive' && reading !== null ? (READING[reading as keyof typeof READING] ?? '') : '';
  const real = excludesOne && (verdict === 'equivalent' || verdict === 'inconclusive') ? '*' : '';
  return `${verdict}${real}${leaning}`;
}

/** The ratio by the score that was not judged, with its verdict where that is another; no column where no row has both. */
function otherColumn(rows: readonly ComparisonRow[]): { title: string; cell: (row: ComparisonRow) => string }[] {
  const kinds = [
    ['Aware ratio', (row: ComparisonRow) => row.aware],
    ['Plain ratio', (row: ComparisonRow) => row.plain],
  ] as const;
  return kinds.flatMap(([title, of]) => {
    if (rows.every((row) => of(row) === null)) return [];
    const cell = (row: ComparisonRow) => {
      const other = of(row);
      if (other === null) return '';
      return other.verdict === row.verdict ? ratioText(other.ratio) : `${ratioText(other.ratio)} ${other.verdict}`;
    };
    return [{ title, cell }];
  });
}

const COLOURS = { improved: 'green', regressed: 'red', equivalent: 'bold', inconclusive: 'yellow' } as const;

/** The table: one line a row, the ratio with its interval and verdict. */
export function compareTable(rows: readonly ComparisonRow[], confidence: number, look: Look = PLAIN): string[] {
  const paint = painter(look);
  const paintVerdict = (text: string, verdict: ComparisonRow['verdict']) =>
    verdict === null ? text : paint(COLOURS[verdict], text);
  const column = (title: string, align: Column['align'], cell: (row: ComparisonRow) => string): Column => ({
    title,
    align,
    cells: rows.map(cell),
  });
  const when = (wanted: boolean, columns: Column[]) => (wanted ? columns : []);
  const score = (value: number | null) => (value === null ? '' : fixed3(value));
  return layout([
    column('Benchmark', 'left', (row) => oneLine(rowName(row))),
    ...paramColumns(rows.map(({ params }) => params)),
    column('Mode', 'right', (row) => row.mode),
    ...when(
      rows.some((row) => row.standing !== 'headline'),
      [column('Metric', 'left', (row) => oneLine(row.metric))],
    ),
    column('Better', 'left', (row) => row.better ?? 'no direction'),
    column('Baseline', 'right', (row) => score(row.baseline.mean)),
    column('Candidate', 'right', (row) => score(row.candidate.mean)),
    column('Units', 'left', (row) => row.unit),
    column('Ratio', 'right', (row) => (row.ratio === null ? '' : ratioText(row.ratio))),
    column(`[${percentText(confidence)} interval]`, 'left', (row) => intervalText(row.interval)),
    { ...column('Verdict', 'left', verdictText), paint: (text, i) => paintVerdict(text, rows[i]!.verdict) },
    ...otherColumn(rows).map(({ title, cell }) => column(title, 'left', cell)),
    ...when(
      rows.some((row) => row.forksNeeded !== null),
      [column('Forks to decide', 'right', (row) => (row.forksNeeded === null ? '' : String(row.forksNeeded)))],
    ),
  ]);
}

const range = (values: readonly number[]): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? `${low}` : `${low} to ${high}`;
};

const SCORE_WORDS = { plain: 'plain score', aware: 'interference-aware score' } as const;

/** What the other score is, and how much lies between the two. */
function otherLegend(rows: readonly ComparisonRow[]): string[] {
  const lost = (of: (typeof rows)[number]['aware'][]) => {
    const found = of.filter((other) => other !== null);
    const worst = (side: 'lostBaseline' | 'lostCandidate') =>
      percentText(Math.round(1000 * Math.max(...found.map((other) => other[side]))) / 1000);
    return found.length === 0
      ? null
      : `up to ${worst('lostBaseline')} of the baseline's, ${worst('lostCandidate')} of the candidate's`;
  };
  const aware = lost(rows.map((row) => row.aware));
  const plain = lost(rows.map((row) => row.plain));
  return [
    ...(aware === null
      ? []
      : [
          `Aware ratio: without the time of a recorded external cause (${aware}); verdict where it is another. Judge by it with --score aware.`,
        ]),
    ...(plain === null
      ? []
      : [
          `Plain ratio: with the time that the interference-aware score leaves out (${plain}); verdict where it is another.`,
        ]),
  ];
}

/** What the columns mean, as far as they are there. */
function legend({ rows, delta, confidence, score }: Comparison): string[] {
  const lines = [
    'Ratio: cost ratio, below 1 = candidate better: candidate / baseline where lower is better, baseline / candidate where higher is.',
  ];
  const methods = [...new Set(rows.map((row) => row.method).filter((method) => method !== null))];
  for (const method of methods) {
    const of = rows.filter((row) => row.method === method && row.interval !== null);
    if (of.length === 0) continue;
    const forks = `${range(of.map((row) => row.baseline.forks))} against ${range(of.map((row) => row.candidate.forks))} forks`;
    lines.push(
      `Interval: ${percentText(confidence)}, ${METHODS[method]} (${of.length} ${of.length === 1 ? 'row' : 'rows'}, ${forks}).`,
    );
  }
  const secondary = rows.filter((row) => row.standing === 'secondary');
  const judged = rows.filter((row) => row.interval !== null && row.standing !== 'secondary').length;
  if (judged > 0) {
    const holm = judged > 1 ? `; Holm's correction over ${judged} rows, intervals as they are` : '';
    lines.push(`Verdict: interval of the ${SCORE_WORDS[score]} against 1 ± ${percentText(delta)}${holm}.`);
  }
  if (secondary.length > 0) {
    const names = [...new Set(secondary.map((row) => row.metric))].map(oneLine).join(', ');
    const own = secondary.filter((row) => row.interval !== null && row.verdict !== null).length;
    const holm = own > 1 ? `; Holm's correction over ${own} rows of their own` : '';
    const plain = score === 'aware' ? ' by all of the measured time' : '';
    lines.push(`Secondary: ${names}: compared${plain}, but no part of the exit code${holm}.`);
  }
  if (rows.some((row) => row.better === null))
    lines.push('No direction: candidate / baseline, neither side is better, so there is no verdict.');
  if (rows.some((row) => verdictText(row).includes('*')))
    lines.push('* The interval excludes 1: a real difference, perhaps too small to matter.');
  lines.push(...otherLegend(rows));
  if (rows.some((row) => row.forksNeeded !== null))
    lines.push('Forks to decide: on each side, if forks go on varying as they did.');
  return lines;
}

function summaryLines({ summaries }: Comparison): string[] {
  return summaries.map((summary) => {
    const what = summary.candidate ?? summary.suite;
    const left = summary.left > 0 ? `, ${summary.left} without interval left out` : '';
    return `Geometric mean, ${oneLine(what)}: ${ratioText(summary.ratio)} ${intervalText(summary.interval)} (${summary.rows} rows${left})`;
  });
}

/** Of the rows that count: scores and shifts. */
function countLine(all: readonly ComparisonRow[]): string {
  const rows = all.filter((row) => row.standing !== 'secondary');
  const of = (verdict: ComparisonRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const counts = (['improved', 'equivalent', 'regressed', 'inconclusive'] as const).map((v) => `${of(v)} ${v}`);
  return `${counts.join(', ')}${rows.length < all.length ? ' (secondary rows not counted)' : ''}`;
}

/** Notes as lines, the same note of several rows once. */
function noteLines({ rows, notes }: Comparison): string[] {
  const groups = new Map<string, { id: string; message: string; where: string[] }>();
  for (const row of rows) {
    const metric = row.standing === 'headline' ? '' : ` ${oneLine(row.metric)}`;
    const where = `${rowName(row)}${paramSuffix(row.params)}${metric}`;
    for (const { id, message } of row.notes) {
      const group = groups.get(`${id}\n${message}`) ?? { id, message, where: [] };
      group.where.push(where);
      groups.set(`${id}\n${message}`, group);
    }
  }
  return [
    ...notes.map(({ id, message }) => `note [${id}] ${oneLine(message)}`),
    ...[...groups.values()].map(({ id, message, where }) => {
      const more = where.length > 1 ? ` and ${where.length - 1} more` : '';
      return `note [${id}] ${oneLine(where[0]!)}${more}: ${oneLine(message)}`;
    }),
  ];
}

/** What makes two runs unlike, one line each. */
export function differenceLines(differences: readonly Difference[]): string[] {
  return differences.map(({ what, baseline, candidate, trials }) => {
    const where = trials === null ? '' : ` (${trials.length} ${trials.length === 1 ? 'trial' : 'trials'})`;
    return `  ${oneLine(what)}: ${oneLine(baseline)} against ${oneLine(candidate)}${where}`;
  });
}

const runText = ({ name, harness, id, createdAt }: RunLabel): string => {
  const details = [harness === 'jmh' ? 'JMH' : harness === 'node:bench' ? harness : null, id, createdAt].filter(
    (part) => part !== null,
  );
  return oneLine(`${name}${details.length > 0 ? ` (${details.join(', ')})` : ''}`);
};

/** Table, legend, summaries and notes: a comparison for reading. `head`: name the runs first. */
export function compareLines(comparison: Comparison, head = true, look: Look = PLAIN): string[] {
  const { baseline, candidate, differences, rows } = comparison;
  const one = baseline.id !== null && baseline.id === candidate.id && baseline.name === candidate.name;
  const named = one
    ? [`# Run        ${runText(baseline)}`]
    : [`# Baseline   ${runText(baseline)}`, `# Candidate  ${runText(candidate)}`];
  const parts = [
    head ? named : [],
    differences.length > 0 ? ['Differences:', ...differenceLines(differences)] : [],
    rows.length > 0 ? compareTable(rows, comparison.confidence, look) : ['Nothing to compare.'],
    rows.length > 0 ? [countLine(rows), ...summaryLines(comparison)] : [],
    rows.length > 0
      ? legend(comparison).flatMap((line) => wrapped(line, look.width, 2).map((part) => painter(look)('dim', part)))
      : [],
    noteLines(comparison).flatMap((line) => wrapped(line, look.width, 2)),
  ];
  return parts.filter((lines) => lines.length > 0).flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}
