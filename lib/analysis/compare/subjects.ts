/** What the rows of a pair of arms are about: the score, the quantiles of samples, and whatever else was measured. */
import type { Better } from '../../stats/ratio/types.js';
import { bucketQuantile, totalOf } from './buckets.js';
import type { Chosen, PairOfArms } from './choose.js';
import type { Arm, ForkSample, Note, Standing } from './types.js';

/** One thing that two arms are compared in. */
export interface Subject {
  readonly standing: Standing;
  readonly metric: string;
  readonly units: { readonly baseline: string; readonly candidate: string };
  readonly better: Better | null;
  /** Counts of events: zeros are ordinary. */
  readonly counts: boolean;
  /** Which quantile of the samples; null for anything else. */
  readonly quantile: number | null;
  /** Value of a fork in its arm's unit; null when it has none. */
  readonly valueOf: (fork: ForkSample) => number | null;
  readonly notes: (chosen: Chosen) => Note[];
}

const none = (): Note[] => [];
const unitsOf = ({ baseline, candidate }: PairOfArms) => ({ baseline: baseline.unit, candidate: candidate.unit });

/** The score. */
export const headline = (pair: PairOfArms): Subject => ({
  standing: 'headline',
  metric: 'score',
  units: unitsOf(pair),
  better: pair.baseline.better,
  counts: false,
  quantile: null,
  valueOf: (fork) => fork.value,
  notes: none,
});

/** Quantiles of a sampled benchmark beside its mean: the shift, not one number. */
const SHIFT: readonly (readonly [string, number])[] = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
];
/** Shown where enough samples lie beyond it, and never judged: few runs have them. */
const FAR_TAIL = ['p99.9', 0.999] as const;
/** With fewer samples beyond a quantile than this in a fork, it is one sample, not a quantile. */
const THIN_TAIL = 5;

// 1 - 0.999 carries a rounding error, which must not cost the fifth sample.
const tailOf = (forks: readonly ForkSample[], quantile: number): number =>
  Math.min(...forks.map((fork) => totalOf(fork.buckets ?? []) * (1 - quantile))) + 1e-9;

function quantileSubject(pair: PairOfArms, metric: string, quantile: number, standing: Standing): Subject {
  return {
    standing,
    metric,
    units: unitsOf(pair),
    better: pair.baseline.better,
    counts: false,
    quantile,
    valueOf: (fork) => (fork.buckets === null ? null : bucketQuantile(fork.buckets, quantile)),
    notes({ baseline, candidate }) {
      if (tailOf([...baseline, ...candidate], quantile) >= THIN_TAIL) return [];
      const message = `A fork has fewer than ${THIN_TAIL} samples beyond ${metric}, so its ${metric} is nearly its worst sample. Measure longer iterations.`;
      return [{ id: 'thin-tail', message }];
    },
  };
}

/** The quantiles that are judged; none outside of sample mode. */
export function shiftSubjects(pair: PairOfArms): Subject[] {
  if (pair.baseline.mode !== 'sample') return [];
  return SHIFT.map(([metric, quantile]) => quantileSubject(pair, metric, quantile, 'shift'));
}

/**
 * The far tail where it is a quantile, the methods of a group and the counters: what both arms have, and notes on what one side has alone.
 * Nothing for the winner, whose row says who won.
 */
export function secondarySubjects(pair: PairOfArms): { readonly subjects: Subject[]; readonly notes: Note[] } {
  const { kind, baseline, candidate } = pair;
  if (kind === 'winner') return { subjects: [], notes: [] };
  const subjects: Subject[] = [];
  const [metric, quantile] = FAR_TAIL;
  const forks = [...baseline.forks, ...candidate.forks];
  if (baseline.mode === 'sample' && forks.length > 0 && tailOf(forks, quantile) >= THIN_TAIL) {
    subjects.push(quantileSubject(pair, metric, quantile, 'secondary'));
  }
  const others = new Map(candidate.secondary.map((of) => [of.name, of]));
  for (const { name, unit, better, counts } of baseline.secondary) {
    const other = others.get(name);
    if (other === undefined) continue;
    subjects.push({
      standing: 'secondary',
      metric: name,
      units: { baseline: unit, candidate: other.unit },
      better: better === other.better ? better : null,
      counts,
      quantile: null,
      valueOf: (fork) => fork.secondary[name] ?? null,
      notes: none,
    });
  }
  return {
    subjects,
    notes: [...missing(baseline, candidate, 'baseline'), ...missing(candidate, baseline, 'candidate')],
  };
}

function missing(arm: Arm, other: Arm, side: string): Note[] {
  const names = new Set(other.secondary.map(({ name }) => name));
  const alone = arm.secondary.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (alone.length === 0) return [];
  return [{ id: 'secondary-missing', message: `Measured in the ${side} only, not compared: ${alone.join(', ')}.` }];
}
