import type { History, Series } from '../history/series.js';
import type { Verdict } from '../stats/decision.js';
import { layout, oneLine } from './columns.js';
import { ratioText } from './compare.js';
import { plot } from './plot.js';
import { fixed3, readableScale } from './units.js';

/** Formats histories; every change is judged before. */

const HEIGHT = 10;

const paramsText = (params: Series['params']): string => {
  const list = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return list.length > 0 ? ` (${list.join(', ')})` : '';
};

const intervalText = ([low, high]: readonly [number, number]): string => `[${ratioText(low)}, ${ratioText(high)}]`;

const runs = (n: number): string => `${n} ${n === 1 ? 'run' : 'runs'}`;

/** What a change beyond chance means against delta. */
const WORDS: Readonly<Record<Verdict, string>> = {
  improved: 'improved',
  regressed: 'regressed',
  equivalent: 'real, but too small to matter',
  inconclusive: 'real, but perhaps too small to matter',
};

function changeLines({ changes, points }: History): string[] {
  if (changes.length === 0) return [];
  const table = layout([
    { title: 'Change at', align: 'left', cells: changes.map(({ at }) => points[at]!.at) },
    { title: 'Run', align: 'left', cells: changes.map(({ run }) => run) },
    { title: 'Ratio', align: 'right', cells: changes.map(({ ratio }) => ratioText(ratio)) },
    { title: 'Interval', align: 'left', cells: changes.map(({ interval }) => intervalText(interval)) },
    { title: 'Verdict', align: 'left', cells: changes.map(({ decision }) => WORDS[decision.verdict]) },
  ]);
  return ['', ...table];
}

function latestLine({ latest, points, changes }: History): string {
  const since = points.length - (changes.at(-1)?.at ?? 0);
  if (latest === null)
    return `Newest run: ${runs(since)} at the present level; from 6 on the newest is judged against those before it.`;
  const { verdict, excludesOne } = latest.decision;
  const place = excludesOne
    ? verdict === 'inconclusive'
      ? 'outside what runs of this level vary, perhaps too little to matter'
      : verdict
    : 'within what runs of this level vary';
  return `Newest run: ${ratioText(latest.ratio)} ${intervalText(latest.interval)} of the level before it (${runs(since - 1)}): ${place}.`;
}

/** One series: what it is of, the plot, its changes, and how the newest run stands. */
export function historyLines(history: History, columns: number): string[] {
  const { points, unit, mode, better } = history;
  const head = [
    oneLine(`${history.name}${paramsText(history.params)}, ${mode}, ${better} is better`),
    oneLine(`${history.host}, ${history.cpu}, Node ${history.node}, policy ${history.policy}`),
  ];
  const incomplete = history.incomplete > 0 ? [`${runs(history.incomplete)} failed or interrupted, not shown.`] : [];
  if (points.length === 0) return [...head, ...incomplete];
  const scale = readableScale(
    points.map(({ value }) => value),
    unit,
  );
  const drawn = plot(
    points.map(({ value }) => value * scale.factor),
    {
      width: Math.max(20, Math.min(100, columns - 16)),
      height: HEIGHT,
      label: fixed3,
      marks: history.changes.map(({ at }) => at),
    },
  );
  const each = drawn.perColumn > 1 ? `, each column the mean of ${drawn.perColumn}` : '';
  return [
    ...head,
    oneLine(`${scale.unit}, ${runs(points.length)} from ${points[0]!.at} to ${points.at(-1)!.at}${each}`),
    '',
    ...drawn.lines,
    ...changeLines(history),
    '',
    latestLine(history),
    ...incomplete,
  ];
}

/** All series, one line each. */
export function historyTable(histories: readonly History[]): string[] {
  const last = ({ points }: History) => points.at(-1);
  return layout([
    { title: 'Benchmark', align: 'left', cells: histories.map((h) => oneLine(`${h.name}${paramsText(h.params)}`)) },
    { title: 'Mode', align: 'right', cells: histories.map((h) => h.mode) },
    { title: 'Host', align: 'left', cells: histories.map((h) => oneLine(h.host)) },
    { title: 'Node', align: 'left', cells: histories.map((h) => h.node) },
    { title: 'Policy', align: 'left', cells: histories.map((h) => h.policy) },
    { title: 'Runs', align: 'right', cells: histories.map((h) => String(h.points.length)) },
    { title: 'Newest', align: 'right', cells: histories.map((h) => (last(h) ? fixed3(last(h)!.value) : '')) },
    { title: 'Units', align: 'left', cells: histories.map((h) => h.unit) },
    {
      title: 'Last change',
      align: 'left',
      cells: histories.map((h) => {
        const change = h.changes.findLast(
          ({ decision }) => decision.verdict === 'improved' || decision.verdict === 'regressed',
        );
        return change === undefined ? '' : `${ratioText(change.ratio)} ${change.decision.verdict} ${change.run}`;
      }),
    },
  ]);
}
