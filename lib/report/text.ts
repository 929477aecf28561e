import type { Finding, RunResult, Score, Trial } from '../result/model.js';
import { type Column, layout, oneLine } from './columns.js';
import { fixed3, readableScale, type Scale } from './units.js';

const nameOf = (trial: Trial) => `${trial.suite}.${trial.benchmark}`;

const paramText = (value: unknown) => oneLine(String(value));

interface Row {
  readonly trial: Trial;
  readonly label: string;
  readonly score: Score | null;
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

/** The table of scores in JMH's shape: Benchmark, (params), Mode, Cnt, Score, Error, Units. */
export function scoreTable(trials: readonly Trial[]): string[] {
  const rows = rowsOf(trials);
  const byUnit = scales(rows);
  const scaleOf = ({ trial, score }: Row): Scale =>
    (trial.options.unit?.source === 'default' && score && byUnit.get(score.unit)) || {
      factor: 1,
      unit: score?.unit ?? '',
    };
  const params = [...new Set(trials.flatMap((trial) => Object.keys(trial.params)))];
  const column = (title: string, align: Column['align'], cell: (row: Row) => string, gap?: string): Column => ({
    title,
    align,
    cells: rows.map(cell),
    ...(gap === undefined ? {} : { gap }),
  });
  return layout([
    column('Benchmark', 'left', (row) => oneLine(row.label)),
    ...params.map((name) =>
      column(`(${oneLine(name)})`, 'right', ({ trial }) =>
        Object.hasOwn(trial.params, name) ? paramText(trial.params[name]) : 'N/A',
      ),
    ),
    column('Mode', 'right', ({ trial }) => trial.mode),
    column('Cnt', 'right', ({ score }) => (score && score.n > 1 ? String(score.n) : '')),
    column('Score', 'right', (row) => (row.score ? fixed3(row.score.value * scaleOf(row).factor) : 'failed')),
    column('', 'left', ({ score }) => (score?.error == null ? '' : '±'), ' '),
    column(
      'Error',
      'right',
      (row) => (row.score?.error == null ? '' : fixed3(row.score.error * scaleOf(row).factor)),
      ' ',
    ),
    column('Units', 'left', (row) => scaleOf(row).unit),
  ]);
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
    const values = Object.values(trial.params).map(paramText);
    const where = oneLine(nameOf(trial)) + (values.length > 0 ? `(${values.join(', ')})` : '');
    const half = error === null ? '' : ` ± ${fixed3(error)}`;
    const share = `${Number((aware.share * 100).toPrecision(2))} %`;
    return [
      `  ${where} [${trial.mode}]: ${fixed3(value)}${half} ${unit} instead of ${fixed3(score.value)}, ${share} taken`,
    ];
  });
  return lines.length === 0 ? [] : ['Interference-aware, without time that others took from the thread:', ...lines];
}

/** Findings as lines, the same finding of several trials once with how many it concerns. */
export function findingLines(result: RunResult): string[] {
  const groups = new Map<string, { finding: Finding; where: string[] }>();
  const add = (finding: Finding, where: string | null) => {
    const key = `${finding.id}\n${finding.message}`;
    const group = groups.get(key) ?? { finding, where: [] };
    if (where !== null) group.where.push(where);
    groups.set(key, group);
  };
  for (const finding of result.findings) add(finding, null);
  for (const trial of result.trials) {
    const values = Object.values(trial.params).map(paramText);
    const where = nameOf(trial) + (values.length > 0 ? `(${values.join(', ')})` : '');
    for (const finding of trial.findings) add(finding, where);
  }
  return [...groups.values()].map(({ finding, where }) => {
    const mark = finding.severity === 'info' ? 'note' : finding.severity;
    const at =
      where.length === 0 ? '' : `${oneLine(where[0]!)}${where.length > 1 ? ` and ${where.length - 1} more` : ''}: `;
    return `${mark} [${finding.id}] ${at}${oneLine(finding.message)}`;
  });
}

/** Failed trials: what failed, where in the user's code, and how much was kept. */
export function failureLines(trials: readonly Trial[]): string[] {
  return trials.flatMap((trial) => {
    if (!trial.failure) return [];
    const { failure } = trial;
    const params = Object.keys(trial.params).length > 0 ? ` ${JSON.stringify(trial.params)}` : '';
    const kept = trial.forks.filter((fork) => fork.status === 'ok').length;
    const fork = failure.fork === null ? '' : ` (fork ${failure.fork + 1})`;
    const frames = failure.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
    return [
      `FAILED ${oneLine(nameOf(trial))}${oneLine(params)} [${trial.mode}], ${failure.phase}${fork}: ${oneLine(failure.message)}`,
      ...frames.slice(0, 4),
      ...(kept > 0
        ? [`  ${kept} fork${kept === 1 ? '' : 's'} finished before; they are in the result file but give no score.`]
        : []),
    ];
  });
}
