import stringWidth from 'string-width';
import { distribution } from '../analysis/distribution.js';
import { startupOf } from '../analysis/startup.js';
import { count } from '../analysis/words.js';
import type { Finding, RunResult, Score, Trial } from '../result/model.js';
import { type Column, layout, oneLine } from './columns.js';
import { type Look, PLAIN, painter, wrapped } from './look.js';
import { paramColumns, paramSuffix } from './params.js';
import { fixed3, readableScale, type Scale } from './units.js';

const nameOf = (trial: Trial) => `${trial.suite}.${trial.benchmark}`;

interface Row {
  readonly trial: Trial;
  readonly label: string;
  readonly score: Score | null;
}

/** One row of a table of scores, as text; names are as the user wrote them. */
export interface ScoreRow {
  readonly trial: Trial;
  readonly label: string;
  readonly secondary: boolean;
  /** Values behind the score; empty for one. */
  readonly count: string;
  /** `failed` where there is none. */
  readonly score: string;
  /** Half-width of the interval; empty where there is none. */
  readonly error: string;
  readonly unit: string;
}

/** One scale for all rows of a unit whose trials left the unit to us; the unit asked for otherwise. */
function scales(rows: readonly Row[]): Map<string, Scale> {
  const values = new Map<string, number[]>();
  for (const { trial, score } of rows) {
    if (score && trial.options.unit?.source === 'default')
      values.set(score.unit, [...(values.get(score.unit) ?? []), score.value]);
  }
  return new Map([...values].map(([unit, list]) => [unit, readableScale(list, unit)]));
}

function rowsOf(trials: readonly Trial[]): Row[] {
  return trials.flatMap((trial) => [
    { trial, label: nameOf(trial), score: trial.score },
    ...Object.entries(trial.secondary).map(([name, score]) => ({ trial, label: `${nameOf(trial)}:${name}`, score })),
  ]);
}

/** Scores and secondary scores as text, scaled for reading where nobody asked for a unit. */
export function scoreRows(trials: readonly Trial[]): ScoreRow[] {
  const rows = rowsOf(trials);
  const byUnit = scales(rows);
  return rows.map(({ trial, label, score }) => {
    const scale = (trial.options.unit?.source === 'default' && score && byUnit.get(score.unit)) || {
      factor: 1,
      unit: score?.unit ?? '',
    };
    return {
      trial,
      label,
      secondary: score !== trial.score,
      count: score && score.n > 1 ? String(score.n) : '',
      score: score ? fixed3(score.value * scale.factor) : 'failed',
      error: score?.error == null ? '' : fixed3(score.error * scale.factor),
      unit: scale.unit,
    };
  });
}

const BINS = 12;
const EIGHTHS = ' \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';

/** Counts as blocks of eight heights; what is not empty is seen. */
export function blocks(counts: readonly number[]): string {
  const most = Math.max(...counts);
  return counts.map((count) => EIGHTHS[Math.ceil((8 * count) / most)]).join('');
}

const shapeOf = ({ trial, secondary }: ScoreRow): string => {
  const counts = secondary ? null : distribution(trial, BINS);
  return counts === null ? '' : blocks(counts);
};

/** What the shapes show, where there are any. */
const SHAPES =
  'Distribution: scores of the iterations of all forks, from the least to the greatest; in sample mode the samples, on a logarithmic scale.';

/** The table of scores in JMH's shape: Benchmark, (params), Mode, Cnt, Score, Error, Units; a distribution where it fits. */
export function scoreTable(trials: readonly Trial[], look: Look = PLAIN): string[] {
  const rows = scoreRows(trials);
  const paint = painter(look);
  const column = (
    title: string,
    align: Column['align'],
    cell: (row: ScoreRow) => string,
    more: Partial<Column> = {},
  ): Column => ({ title, align, cells: rows.map(cell), ...more });
  const dim = (text: string) => paint('dim', text);
  const quiet = (text: string, i: number) => (rows[i]!.secondary ? dim(text) : text);
  const strong = (text: string, i: number) =>
    rows[i]!.trial.score === null ? paint('red', text) : rows[i]!.secondary ? dim(text) : paint('bold', text);
  const columns = [
    column('Benchmark', 'left', (row) => oneLine(row.label), { paint: quiet }),
    ...paramColumns(rows.map(({ trial }) => trial.params)),
    column('Mode', 'right', ({ trial }) => trial.mode, { paint: dim }),
    column('Cnt', 'right', ({ count }) => count, { paint: dim }),
    column('Score', 'decimal', ({ score }) => score, { paint: strong }),
    column('', 'left', ({ error }) => (error === '' ? '' : '±'), { gap: ' ', paint: dim }),
    column('Error', 'decimal', ({ error }) => error, { gap: ' ', paint: quiet }),
    column('Units', 'left', ({ unit }) => unit, { paint: dim }),
  ];
  const plain = layout(columns);
  if (!look.terminal) return plain;
  const room = look.width - Math.max(...plain.map((line) => stringWidth(line)));
  const shapes = column('Distribution', 'left', shapeOf, { paint: (text) => paint('cyan', text) });
  if (room < BINS + 2 || shapes.cells.every((cell) => cell === '')) return layout(columns);
  return [...layout([...columns, shapes]), ...wrapped(SHAPES, look.width).map(dim)];
}

/** What the error column means, once for each method in the table. */
export function methodLines(trials: readonly Trial[]): string[] {
  const methods = new Set<string>();
  for (const { score } of trials) {
    if (score?.error != null)
      methods.add(
        `Error: half-width of the ${score.confidence * 100} % interval, ${score.method}; Cnt counts ${score.level}s.`,
      );
  }
  return [...methods];
}

/** Share of the time taken by others from which on both scores are shown. */
const SHOWN_SHARE = 0.001;

/** The interference-aware scores beside the plain ones, where anything worth it was left out. */
export function awareLines(trials: readonly Trial[]): string[] {
  const lines = trials.flatMap((trial) => {
    const { aware, score } = trial;
    if (!aware || !score || aware.share < SHOWN_SHARE) return [];
    const { value, error, unit } = aware.score;
    const where = oneLine(nameOf(trial)) + paramSuffix(trial.params);
    const half = error === null ? '' : ` ± ${fixed3(error)}`;
    const share = `${Number((aware.share * 100).toPrecision(2))} %`;
    return [
      `  ${where} [${trial.mode}]: ${fixed3(value)}${half} ${unit} instead of ${fixed3(score.value)}, ${share} taken`,
    ];
  });
  return lines.length === 0 ? [] : ['Interference-aware, without time that others took from the thread:', ...lines];
}

/** Phases before the first call of each single shot: what a cold start is made of beside the score. */
export function startupLines(trials: readonly Trial[]): string[] {
  const lines = trials.flatMap((trial) => {
    if (trial.mode !== 'ss') return [];
    const startup = startupOf(trial);
    const phase = (what: string, ms: number | null) => (ms === null ? [] : [`${what} ${fixed3(ms)} ms`]);
    const phases = [
      ...phase('process', startup.spawnToEntryMs),
      ...phase('file', startup.loadMs),
      ...phase('setup', startup.setupMs),
      ...phase('first call begins', startup.spawnToFirstInvocationMs),
    ];
    return phases.length === 0
      ? []
      : [`  ${oneLine(nameOf(trial)) + paramSuffix(trial.params)} [ss]: ${phases.join(', ')}`];
  });
  const head =
    'Start-up, mean over forks: from spawn to the first line, loading the file, setup; and from spawn to the first call:';
  return lines.length === 0 ? [] : [head, ...lines];
}

/** Findings as lines, the same finding of several trials once with how many it concerns. */
export function findingLines(result: RunResult, look: Look = PLAIN): string[] {
  const paint = painter(look);
  return findingGroups(result).flatMap(({ finding, where }) => {
    const mark = finding.severity === 'info' ? 'note' : finding.severity;
    const at =
      where.length === 0 ? '' : `${oneLine(where[0]!)}${where.length > 1 ? ` and ${where.length - 1} more` : ''}: `;
    const [first, ...rest] = wrapped(`${mark} [${finding.id}] ${at}${oneLine(finding.message)}`, look.width, 2);
    const colour = ({ info: 'cyan', warning: 'yellow', error: 'red' } as const)[finding.severity];
    // Names of ids hold no blanks, so that the first line begins with all of this.
    const head = `${mark} [${finding.id}]`;
    return [`${paint(colour, mark)} ${paint('dim', `[${finding.id}]`)}${first!.slice(head.length)}`, ...rest];
  });
}

/** A finding and the trials it concerns; none = the run. */
export interface FindingGroup {
  readonly finding: Finding;
  /** `Suite.benchmark(values)`. */
  readonly where: readonly string[];
}

/** Findings of run and trials, the same finding of several trials once. */
export function findingGroups(result: RunResult): FindingGroup[] {
  const groups = new Map<string, { finding: Finding; where: string[] }>();
  const add = (finding: Finding, where: string | null) => {
    const key = `${finding.id}\n${finding.message}`;
    const group = groups.get(key) ?? { finding, where: [] };
    if (where !== null) group.where.push(where);
    groups.set(key, group);
  };
  for (const finding of result.findings) add(finding, null);
  for (const trial of result.trials) {
    const where = nameOf(trial) + paramSuffix(trial.params);
    for (const finding of trial.findings) add(finding, where);
  }
  return [...groups.values()];
}

/** Failed trials: what failed, where in the user's code, and how much was kept. */
export function failureLines(trials: readonly Trial[], look: Look = PLAIN): string[] {
  const paint = painter(look);
  return trials.flatMap((trial) => {
    if (!trial.failure) return [];
    const { failure } = trial;
    const params = Object.keys(trial.params).length > 0 ? ` ${JSON.stringify(trial.params)}` : '';
    const kept = trial.forks.filter((fork) => fork.status === 'ok').length;
    const fork = failure.fork === null ? '' : ` (fork ${failure.fork + 1})`;
    const frames = failure.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
    return [
      `${paint('red', 'FAILED')} ${oneLine(nameOf(trial))}${oneLine(params)} [${trial.mode}], ${failure.phase}${fork}: ${oneLine(failure.message)}`,
      ...frames.slice(0, 4),
      ...(kept > 0 ? [`  ${count(kept, 'fork')} finished before; they are in the result file but give no score.`] : []),
    ];
  });
}
