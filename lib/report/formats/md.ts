import type { Comparison, ComparisonRow } from '../../analysis/compare/index.js';
import { count } from '../../analysis/words.js';
import type { RunResult } from '../../result/model.js';
import { ratioText } from '../compare.js';
import { findingGroups } from '../text.js';
import { cellsOf } from './cells.js';
import { printable } from './escape.js';
import { plainLabel } from './names.js';
import type { Reporter } from './reporter.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '|': '&#124;',
  '\\': '&#92;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#9;',
};

/**
 * Text inside a table or a line. Marks are escaped; a bar, a backslash and what HTML knows become entities, because a table is
 * split at bars before escapes are read. Line ends become breaks.
 */
export const mdText = (text: string): string =>
  printable(text)
    .replace(/[`*_{}[\]#!~$|\\&<>\t]/g, (mark) => ENTITIES[mark] ?? `\\${mark}`)
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '<br>')
    .replace(/^ +| +$| (?= )/g, (blanks) => '&#32;'.repeat(blanks.length));

/** A name as code: in it GitHub calls nobody at an `@` and makes no link of a `#1` and no picture of `:smile:`. */
const mdName = (name: string): string => {
  if (name === '') return '';
  return /[`|\\<&]|[^ -\uffff]|^ | $| {2}/.test(printable(name)) || printable(name) !== name
    ? `<code>${mdText(name)}</code>`
    : `\`${name}\``;
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function scoreTable({ trials }: RunResult): string[] {
  const { titles, rows, numbers, notes } = cellsOf(trials);
  return [
    line(titles.map(mdText)),
    line(titles.map((_, i) => (i > 0 && i < titles.length - 1 && i !== numbers - 1 ? '--:' : ':--'))),
    ...rows.map(({ cells }) => line(cells.map((cell, i) => (i < numbers - 1 ? mdName(cell) : mdText(cell))))),
    ...notes.flatMap((note) => ['', mdText(note)]),
  ];
}

const interval = ({ interval }: ComparisonRow) => (interval === null ? '' : `[${interval.map(ratioText).join(', ')}]`);

/** Benchmarks against the baseline of their suite. */
function comparisonTable({ rows, confidence, delta, score }: Comparison): string[] {
  if (rows.length === 0) return [];
  const name = ({ kind, candidate, params }: ComparisonRow) => {
    const values = Object.entries(params).map(([param, value]) => `${param}=${value}`);
    return `${kind === 'winner' ? 'winner ' : ''}${candidate.name}${values.length > 0 ? `(${values.join(', ')})` : ''}`;
  };
  const titles = ['Candidate', 'Against', 'Mode', 'Metric', 'Ratio', `${confidence * 100} % interval`, 'Verdict'];
  return [
    '',
    line(titles.map(mdText)),
    line([':--', ':--', ':--', ':--', '--:', '--:', ':--']),
    ...rows.map((row) => {
      const ratio = row.ratio === null ? '' : ratioText(row.ratio);
      const verdict = row.verdict ?? '-';
      const told = row.status === 'ok' || row.status === 'constant' ? verdict : `${verdict} (${row.status})`;
      const names = [name(row), row.baseline.name].map(mdName);
      return line([...names, ...[row.mode, row.metric, ratio, interval(row), told].map(mdText)]);
    }),
    '',
    mdText(
      `Ratio: cost ratio, below 1 = candidate better. Verdict: interval of the ${score === 'plain' ? 'plain' : 'interference-aware'} score against 1 ± ${delta * 100} %.`,
    ),
  ];
}

function findingList(result: RunResult): string[] {
  const groups = findingGroups(result);
  if (groups.length === 0) return [];
  const items = groups.map(({ finding, where }) => {
    const at = where.length === 0 ? '' : `${where[0]}${where.length > 1 ? ` and ${where.length - 1} more` : ''}: `;
    return `- ${finding.severity === 'info' ? 'note' : finding.severity} \`${finding.id}\` ${mdText(at + finding.message)}`;
  });
  const n = count(groups.length, 'finding');
  return ['', '<details>', `<summary>${n}</summary>`, '', ...items, '', '</details>'];
}

const failures = ({ trials }: RunResult): string[] =>
  trials.flatMap((trial) => {
    if (trial.failure === null) return [];
    const { phase, message } = trial.failure;
    return ['', `**Failed:** ${mdText(`${plainLabel(trial)} [${trial.mode}], ${phase}: ${message}`)}`];
  });

function environmentLine({ environment: env, tool, status }: RunResult): string[] {
  const clock = env.clock === null ? env.backend : `clock ${env.clock.source}`;
  const text = `tscope ${tool.version}, Node ${env.node} (V8 ${env.v8}), ${env.platform} ${env.arch}, ${env.cpuModel}, ${clock}`;
  return [
    '',
    mdText(status === 'interrupted' ? `Interrupted: scores come from the forks that finished. ${text}` : text),
  ];
}

/** Markdown of a run: table, what the error is, comparison with the baseline, failures, findings folded away. */
export const markdown = (result: RunResult, comparison: Comparison): string =>
  `${[
    ...scoreTable(result),
    ...comparisonTable(comparison),
    ...failures(result),
    ...findingList(result),
    ...environmentLine(result),
  ].join('\n')}\n`;

/** For pull requests. */
export const md: Reporter = {
  id: 'md',
  extension: 'md',
  about: 'Markdown, for pull requests',
  defaultTarget: '-',
  format: markdown,
};
