/** One row before Holm's correction: the ratio of two arms in one metric, with everything that follows from these two alone. */
import { unitFactor } from '../../result/units.js';
import type { Ratio } from '../../stats/ratio/types.js';
import { count, share } from '../words.js';
import { bucketQuantile, totalOf } from './buckets.js';
import { type Estimate, estimate } from './estimate.js';
import { MIN_ROUNDS, pairsOf } from './pairing.js';
import type { Resolved } from './resolve.js';
import type { Arm, ComparisonRow, ForkSample, Metric, Note, RowStatus } from './types.js';

/** Metrics of a sampled benchmark beside its mean: the shift, not one number. */
const QUANTILES: readonly (readonly [Metric, number])[] = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
];
/** With fewer samples beyond a quantile than this in a fork, it is one sample, not a quantile. */
const THIN_TAIL = 5;

export interface Draft {
  readonly kind: ComparisonRow['kind'];
  readonly baseline: Arm;
  readonly candidate: Arm;
  readonly metric: Metric;
  readonly unit: string;
  readonly status: RowStatus;
  readonly estimate: Estimate | null;
  /** Values used, one per fork, in the row's unit; in pairs when `paired`. */
  readonly values: { readonly baseline: readonly number[]; readonly candidate: readonly number[] };
  readonly paired: boolean;
  /** The same estimate on interference-aware scores, when every fork has one and something was left out. */
  readonly aware: Estimate | null;
  readonly notes: readonly Note[];
}

export interface PairOfArms {
  readonly kind: ComparisonRow['kind'];
  readonly baseline: Arm;
  readonly candidate: Arm;
}

const STATUS: Readonly<Record<Ratio['status'], RowStatus>> = {
  ok: 'ok',
  constant: 'constant',
  'too-few': 'too-few-forks',
  'not-positive': 'not-positive',
  unbounded: 'unbounded',
  degenerate: 'degenerate',
};

/** Notes that depend on the two arms, not on the metric. */
function armNotes(baseline: Arm, candidate: Arm): Note[] {
  const notes: Note[] = [];
  for (const [side, arm] of [
    ['baseline', baseline],
    ['candidate', candidate],
  ] as const) {
    if (arm.failed > 0) {
      const why = arm.failure === null ? '' : ` (${arm.failure})`;
      notes.push({
        id: 'failed-forks',
        message: `${share(arm.failed, arm.forks.length + arm.failed, 'fork')} of the ${side} failed${why}; the ones that are left are no fair sample, so there is no verdict. Fix the failure and measure again.`,
      });
    } else if (arm.planned !== null && arm.forks.length < arm.planned && arm.forks.length > 0) {
      notes.push({
        id: 'forks-missing',
        message: `The ${side} has ${share(arm.forks.length, arm.planned, 'planned fork')}; those that are there are whole and are used.`,
      });
    }
  }
  const lengths = new Set([...baseline.forks, ...candidate.forks].map((fork) => fork.iterations));
  if (lengths.size > 1) {
    notes.push({
      id: 'unequal-iterations',
      message: `Forks have between ${Math.min(...lengths)} and ${count(Math.max(...lengths), 'iteration')}; each fork still counts as one value, but shorter ones are noisier and end earlier in the life of a process. Measure both with the same number.`,
    });
  }
  if (baseline.unit !== candidate.unit && unitFactor(candidate.unit, baseline.unit) !== null) {
    notes.push({
      id: 'units-converted',
      message: `The candidate's ${candidate.unit} was converted to ${baseline.unit}.`,
    });
  }
  return notes;
}

/** The value of each fork in a metric, in the arm's own unit; null when one has none. */
function valuesOf(forks: readonly ForkSample[], quantile: number | null): number[] | null {
  if (quantile === null) return forks.map((fork) => fork.value);
  const values = forks.map((fork) => (fork.buckets === null ? null : bucketQuantile(fork.buckets, quantile)));
  return values.every((value) => value !== null) ? (values as number[]) : null;
}

const tailOf = (forks: readonly ForkSample[], quantile: number): number =>
  Math.min(...forks.map((fork) => totalOf(fork.buckets ?? []) * (1 - quantile)));

interface Chosen {
  readonly baseline: readonly ForkSample[];
  readonly candidate: readonly ForkSample[];
  readonly method: Exclude<Resolved['method'], 'auto'>;
  readonly notes: readonly Note[];
  readonly unpaired: boolean;
}

/** Settles `auto`, and whether pairs can be had. */
function choose({ kind, baseline, candidate }: PairOfArms, method: Resolved['method']): Chosen {
  const whole = { baseline: baseline.forks, candidate: candidate.forks };
  if (kind === 'across') {
    if (method !== 'paired')
      return { ...whole, method: method === 'auto' ? 'log-delta' : method, notes: [], unpaired: false };
    const message = 'Method paired needs both arms in one run, measured in the same rounds; these are two runs.';
    return { ...whole, method, notes: [{ id: 'unpaired', message }], unpaired: true };
  }
  const pairs = pairsOf(baseline, candidate);
  if (typeof pairs === 'string') {
    if (method === 'paired') {
      const message = `Method paired cannot be used: ${pairs}.`;
      return { ...whole, method, notes: [{ id: 'unpaired', message }], unpaired: true };
    }
    const message = `The arms are not paired: ${pairs}, so a drift of the machine is part of the ratio. Measure them in random order (--order random).`;
    const blocked = pairs.startsWith('the arms ran');
    return {
      ...whole,
      method: method === 'auto' ? 'log-delta' : method,
      notes: blocked ? [{ id: 'confounded', message }] : [],
      unpaired: false,
    };
  }
  const enough = pairs.baseline.length >= MIN_ROUNDS;
  const settled = method === 'auto' ? (enough ? 'paired' : 'log-delta') : method;
  return { ...(settled === 'paired' ? pairs : whole), method: settled, notes: [], unpaired: false };
}

/** The rows of a pair of arms: the score, and in sample mode the quantiles. */
export function draftsOf(pair: PairOfArms, resolved: Resolved): Draft[] {
  const drafts = [draftOf(pair, 'score', null, resolved)];
  if (pair.baseline.mode === 'sample' && drafts[0]!.estimate !== null) {
    for (const [metric, p] of QUANTILES) drafts.push(draftOf(pair, metric, p, resolved));
  }
  return drafts;
}

function draftOf(pair: PairOfArms, metric: Metric, quantile: number | null, resolved: Resolved): Draft {
  const { baseline, candidate } = pair;
  const unit = baseline.unit;
  const factor = unitFactor(candidate.unit, unit);
  const common = { ...pair, metric, unit };
  const notes = quantile === null ? armNotes(baseline, candidate) : [];
  const empty = { estimate: null, values: { baseline: [], candidate: [] }, paired: false, aware: null };
  if (factor === null) {
    const message = `The baseline is in ${unit}, the candidate in ${candidate.unit}: these are different things and have no ratio.`;
    return { ...common, ...empty, status: 'mixed-units', notes: [...notes, { id: 'mixed-units', message }] };
  }
  if (baseline.failed > 0 || candidate.failed > 0) return { ...common, ...empty, status: 'failed', notes };
  const chosen = choose(pair, resolved.method);
  const b = valuesOf(chosen.baseline, quantile);
  const c = valuesOf(chosen.candidate, quantile)?.map((value) => value * factor) ?? null;
  if (b === null || c === null || b.length === 0 || c.length === 0) {
    const sides = [b === null || b.length === 0 ? 'baseline' : null, c === null || c.length === 0 ? 'candidate' : null];
    const message = `No fork of the ${sides.filter((side) => side !== null).join(' and the ')} holds a measurement.`;
    return { ...common, ...empty, status: 'no-data', notes: [...notes, { id: 'no-data', message }] };
  }
  const values = { baseline: b, candidate: c };
  notes.push(...(quantile === null ? chosen.notes : []));
  if (chosen.unpaired) return { ...common, ...empty, values, status: 'unpaired', notes };
  // The quantiles of a fork are skewed, so their logarithms are averaged; pairs do so anyway.
  const method = quantile !== null && chosen.method !== 'paired' ? 'geometric' : chosen.method;
  const options = { confidence: resolved.confidence, better: baseline.better, seed: resolved.seed };
  const found = estimate(method, c, b, options);
  notes.push(...valueNotes(found, values, unit));
  if (quantile !== null && tailOf([...chosen.baseline, ...chosen.candidate], quantile) < THIN_TAIL) {
    const message = `A fork has fewer than ${THIN_TAIL} samples beyond ${metric}, so its ${metric} is nearly its worst sample. Measure longer iterations.`;
    notes.push({ id: 'thin-tail', message });
  }
  const aware = quantile === null ? awareOf(chosen, factor, method, options, pair) : null;
  return {
    ...common,
    status: STATUS[found.ratio.status],
    estimate: found,
    values,
    paired: method === 'paired',
    aware,
    notes,
  };
}

function awareOf(
  chosen: Chosen,
  factor: number,
  method: Chosen['method'],
  options: Parameters<typeof estimate>[3],
  { baseline, candidate }: PairOfArms,
): Estimate | null {
  if (baseline.lostShare === 0 && candidate.lostShare === 0) return null;
  const b = chosen.baseline.map((fork) => fork.aware);
  const c = chosen.candidate.map((fork) => (fork.aware === null ? null : fork.aware * factor));
  if (b.some((value) => value === null) || c.some((value) => value === null)) return null;
  const found = estimate(method, c as number[], b as number[], options);
  return found.ratio.low === null ? null : found;
}

function valueNotes({ ratio, fewGroups }: Estimate, values: Draft['values'], unit: string): Note[] {
  const { baseline, candidate } = values;
  const least = Math.min(baseline.length, candidate.length);
  switch (ratio.status) {
    case 'too-few': {
      const message = `${count(baseline.length, 'fork')} against ${candidate.length}: an interval needs at least 3 on each side, and 10 make it useful (--forks 10).`;
      return [{ id: 'too-few-forks', message }];
    }
    case 'not-positive': {
      const worst = Math.min(...baseline, ...candidate);
      const message = `A ratio needs scores above zero, but a fork has ${worst} ${unit}: what was measured is below what the clock can see, or the file was changed.`;
      return [{ id: 'not-positive', message }];
    }
    case 'unbounded': {
      const message =
        'The denominator cannot be told from zero, so any ratio fits these forks. Use more forks or longer iterations.';
      return [{ id: 'unbounded', message }];
    }
    case 'degenerate':
      return [{ id: 'degenerate', message: 'Resampling these forks gives no ratio. Use log-delta.' }];
    case 'constant': {
      const message =
        'All forks of each side have exactly the same score: the interval has no width, and the clock may be too coarse for this benchmark.';
      return [{ id: 'constant', message }];
    }
    default: {
      if (!fewGroups) return [];
      const message = `With ${least} forks a side a bootstrap interval of 95 % covers 79 to 91 %: too narrow. Use log-delta, or at least 10 forks.`;
      return [{ id: 'few-groups', message }];
    }
  }
}
