/** Histories: index lines in, series with judged changes out. Pure. */
import { DEFAULT_DELTA, type Decision, decide } from '../stats/decision.js';
import { HISTORY_MIN_SEGMENT, historyChanges } from '../stats/history-changes.js';
import { mean, sd } from '../stats/moments.js';
import { ratioLogMeans } from '../stats/ratio/means.js';
import { tFactor } from '../stats/special.js';
import type { IndexEntry } from './entry.js';

/** One run of a series. */
export interface Point {
  readonly run: string;
  readonly at: string;
  /** Mean of fork scores in the unit of the series, and its standard error. */
  readonly value: number;
  readonly se: number | null;
  readonly forks: number;
}

/** Runs of one trial that can be compared: same host, CPU, Node and policy. */
export interface Series {
  readonly trial: string;
  readonly name: string;
  readonly params: IndexEntry['params'];
  readonly mode: IndexEntry['mode'];
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly host: string;
  readonly cpu: string;
  readonly node: string;
  readonly policy: string;
  readonly points: readonly Point[];
  /** Runs of this series that failed or were interrupted; they are no points. */
  readonly incomplete: number;
}

/**
 * Series of all trials, by host, CPU, Node and policy: a change of these starts another series, so that it is not taken for one of the code.
 * Points are in order of time; series of a trial by when they began.
 */
export function seriesOf(entries: readonly IndexEntry[]): Series[] {
  const groups = new Map<string, IndexEntry[]>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.trial, entry.host, entry.cpu, entry.node, entry.policy]);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const series = [...groups.values()].map((group): Series => {
    const good = group.filter((entry) => entry.status === 'ok' && entry.value !== null && entry.value > 0);
    good.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.run < b.run ? -1 : 1));
    const { trial, name, params, mode, host, cpu, node, policy } = group[0]!;
    // Failed runs have no unit.
    const { unit, better } = good[0] ?? group[0]!;
    const alike = good.filter((entry) => entry.unit === unit);
    return {
      ...{ trial, name, params, mode, unit, better, host, cpu, node, policy },
      points: alike.map(({ run, at, value, se, forks }) => ({ run, at, value: value!, se, forks })),
      incomplete: group.length - alike.length,
    };
  });
  const began = (of: Series) => of.points[0]?.at ?? '';
  return series.sort((a, b) => (a.trial !== b.trial ? (a.trial < b.trial ? -1 : 1) : began(a) < began(b) ? -1 : 1));
}

/** A change of level inside a series. */
export interface Change {
  /** Index of the first point after it. */
  readonly at: number;
  readonly run: string;
  /** Cost ratio after / before (below 1 = better), with its interval over runs. */
  readonly ratio: number;
  readonly interval: readonly [low: number, high: number];
  readonly decision: Decision;
  readonly p: number;
}

/** The newest run against the level before it, as long as there are too few runs for a change to be found. */
export interface Latest {
  readonly ratio: number;
  /** Where one more run of the same level would lie. */
  readonly interval: readonly [low: number, high: number];
  readonly decision: Decision;
}

export interface History extends Series {
  readonly delta: number;
  readonly confidence: number;
  /** Changes beyond chance, those within delta included: their verdict is then `equivalent` or `inconclusive`. */
  readonly changes: readonly Change[];
  /** Null with fewer than five runs of the present level before the newest. */
  readonly latest: Latest | null;
}

/** `Math.exp` within what a number can hold. */
const exp = (log: number): number => Math.min(Number.MAX_VALUE, Math.max(Number.MIN_VALUE, Math.exp(log)));

/** Logarithm of the cost, so that below is better in every mode and a ratio is a difference. */
const logCosts = ({ points, better }: Series): number[] =>
  points.map(({ value }) => (better === 'lower' ? Math.log(value) : -Math.log(value)));

/**
 * Judges a series: change points of the log cost by the Hunter variant of E-divisive, each then judged by the interval of the ratio of the two
 * levels against delta, the run being the unit. A change needs five runs on each side; until then the newest run is judged against the prediction interval
 * of the level before it.
 */
export function judgeSeries(series: Series, delta = DEFAULT_DELTA, confidence = 0.95): History {
  const logs = logCosts(series);
  const found = logs.length >= 2 * HISTORY_MIN_SEGMENT ? historyChanges(logs) : [];
  const bounds = [0, ...found.map(({ at }) => at), logs.length];
  const changes = found.map(({ at, p }, k): Change => {
    const values = series.points.map(({ value }) => value);
    const before = values.slice(bounds[k]!, at);
    const after = values.slice(at, bounds[k + 2]!);
    const { ratio, low, high } = ratioLogMeans(after, before, { confidence, better: series.better });
    // Five positive values on each side: only a ratio beyond the range of numbers has no interval.
    const interval = [low ?? Number.MIN_VALUE, high ?? Number.MAX_VALUE] as const;
    const run = series.points[at]!.run;
    const off = mean(logs.slice(at, bounds[k + 2]!)) - mean(logs.slice(bounds[k]!, at));
    return { at, run, ratio: ratio ?? exp(off), interval, decision: decide(...interval, delta), p };
  });
  return { ...series, delta, confidence, changes, latest: latestOf(logs, bounds.at(-2)!, delta, confidence) };
}

function latestOf(logs: readonly number[], from: number, delta: number, confidence: number): Latest | null {
  const level = logs.slice(from, -1);
  if (level.length < HISTORY_MIN_SEGMENT) return null;
  const n = level.length;
  const off = logs.at(-1)! - mean(level);
  // A prediction interval: the newest run varies as every run of the level did.
  const half = tFactor(confidence, n - 1) * sd(level) * Math.sqrt(1 + 1 / n);
  const interval = [exp(off - half), exp(off + half)] as const;
  return { ratio: exp(off), interval, decision: decide(...interval, delta) };
}
