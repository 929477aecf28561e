/** Reduces a result of JMH to what a comparison needs: its forks, from rawData. */
import type { JmhRecord } from '../../result/jmh.js';
import { parseScoreUnit } from '../../result/units.js';
import { mean } from '../../stats/moments.js';
import { bucketMean, mergeBuckets } from './buckets.js';
import type { Arm, ComparedRun, ForkSample, SecondaryOfArm } from './types.js';

const sorted = (record: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

const noTimes = { aware: null, round: null, startMs: null, endMs: null, secondary: {} } as const;

/** What JMH adds to a sampled benchmark: the rows of the shift say the same, from the histograms. */
const PERCENTILE = /p\d+\.\d+$/;

function secondaryOf({
  mode,
  secondary,
}: JmhRecord): { readonly of: SecondaryOfArm; readonly values: (number | null)[] }[] {
  return Object.entries(secondary).flatMap(([name, { unit, rawData }]) => {
    if (mode === 'sample' && PERCENTILE.test(name)) return [];
    const known = parseScoreUnit(unit);
    const better = known === null ? null : known.rate ? 'higher' : 'lower';
    const values = rawData.map((scores, fork) => scored(scores, fork)?.value ?? null);
    return [{ of: { name, unit, better, counts: better === null }, values }];
  });
}

/** Null for a fork without scores, or with one that is not a number: half of it would be no fork. */
function scored(scores: readonly (number | null)[], fork: number): ForkSample | null {
  if (scores.length === 0 || scores.some((score) => score === null)) return null;
  const value = mean(scores as number[]);
  return { fork, value, iterations: scores.length, buckets: null, ...noTimes };
}

function sampled(iterations: NonNullable<JmhRecord['rawDataHistogram']>[number], fork: number): ForkSample | null {
  const buckets = mergeBuckets(iterations);
  const value = bucketMean(buckets);
  return value === null ? null : { fork, value, iterations: iterations.length, buckets, ...noTimes };
}

function armOf(record: JmhRecord): Arm {
  const dot = record.benchmark.lastIndexOf('.');
  const lists = record.rawDataHistogram ?? record.rawData ?? [];
  const forks = record.rawDataHistogram
    ? record.rawDataHistogram.map(sampled)
    : (record.rawData ?? []).map((scores, fork) => scored(scores, fork));
  const secondary = secondaryOf(record);
  const good = forks
    .filter((fork) => fork !== null)
    .map((fork) => ({
      ...fork,
      secondary: Object.fromEntries(secondary.map(({ of, values }) => [of.name, values[fork.fork] ?? null])),
    }));
  const better = parseScoreUnit(record.unit)?.rate || record.mode === 'thrpt' ? 'higher' : 'lower';
  return {
    key: `${record.benchmark}:${record.mode}:${JSON.stringify(sorted(record.params))}`,
    file: '',
    suite: dot < 0 ? '' : record.benchmark.slice(0, dot),
    name: record.benchmark,
    params: record.params,
    mode: record.mode,
    unit: record.unit,
    better,
    baseline: false,
    forks: good,
    planned: Math.max(record.forks, lists.length),
    failed: lists.length - good.length,
    failure: null,
    lostShare: 0,
    canaries: [],
    secondary: secondary.map(({ of }) => of),
  };
}

/** A JMH file, ready to be compared. */
export function comparedJmh(records: readonly JmhRecord[], name: string): ComparedRun {
  const facts = new Map<string, string>([['harness', 'JMH']]);
  for (const [fact, label] of [
    ['jmhVersion', 'JMH'],
    ['vmName', 'virtual machine'],
    ['vmVersion', 'version of the virtual machine'],
    ['jvmArgs', 'arguments of the virtual machine'],
  ] as const) {
    const values = [...new Set(records.map((record) => record.facts[fact]).filter((value) => value !== undefined))];
    if (values.length > 0) facts.set(label, values.sort().join(' and ') || 'none');
  }
  const arms = records.map(armOf);
  return {
    name,
    harness: 'jmh',
    id: null,
    createdAt: null,
    arms,
    facts,
    armFacts: new Map(
      records.map((record, i) => [
        arms[i]!.key,
        new Map(Object.entries(record.options).map(([option, value]) => [`option ${option}`, String(value)])),
      ]),
    ),
    softFacts: new Map(),
  };
}
