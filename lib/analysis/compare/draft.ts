/** One row before Holm's correction: the ratio of two arms in one metric, with everything that follows from these two alone. */
import { unitFactor } from '../../result/units.js';
import type { Better, Ratio } from '../../stats/ratio/types.js';
import { type Chosen, choose, type PairOfArms } from './choose.js';
import { type Estimate, estimate } from './estimate.js';
import { armNotes, valueNotes } from './notes.js';
import type { Resolved } from './resolve.js';
import { headline, type Subject, secondarySubjects, shiftSubjects } from './subjects.js';
import type { Arm, ComparisonRow, Note, RowStatus, Standing } from './types.js';

export interface Draft {
  readonly kind: ComparisonRow['kind'];
  readonly baseline: Arm;
  readonly candidate: Arm;
  readonly standing: Standing;
  readonly metric: string;
  /** Which quantile of the samples it is; null for anything else. */
  readonly quantile: number | null;
  readonly unit: string;
  /** Null: no direction, so no verdict. */
  readonly better: Better | null;
  readonly status: RowStatus;
  readonly estimate: Estimate | null;
  /** Values used, one per fork, in the row's unit; in pairs when `paired`. */
  readonly values: { readonly baseline: readonly number[]; readonly candidate: readonly number[] };
  readonly paired: boolean;
  /** The same estimate on interference-aware scores, when every fork has one and something was left out. */
  readonly aware: Estimate | null;
  readonly notes: readonly Note[];
}

const STATUS: Readonly<Record<Ratio['status'], RowStatus>> = {
  ok: 'ok',
  constant: 'constant',
  'too-few': 'too-few-forks',
  'not-positive': 'not-positive',
  unbounded: 'unbounded',
  degenerate: 'degenerate',
};

/** The rows of a pair of arms: the score, in sample mode the quantiles, then what else was measured. */
export function draftsOf(pair: PairOfArms, resolved: Resolved): Draft[] {
  const { subjects, notes } = secondarySubjects(pair);
  const first = draftOf(pair, headline(pair), resolved, notes);
  if (first.estimate === null) return [first];
  return [first, ...[...shiftSubjects(pair), ...subjects].map((subject) => draftOf(pair, subject, resolved, []))];
}

function draftOf(pair: PairOfArms, subject: Subject, resolved: Resolved, more: readonly Note[]): Draft {
  const { baseline, candidate } = pair;
  const { metric, standing, better, counts, quantile } = subject;
  const { baseline: unit, candidate: other } = subject.units;
  const factor = unitFactor(other, unit);
  const common = { ...pair, standing, metric, quantile, unit, better };
  const leads = standing === 'headline';
  const notes = leads ? [...armNotes(baseline, candidate), ...more] : [];
  const empty = { estimate: null, values: { baseline: [], candidate: [] }, paired: false, aware: null };
  if (factor === null) {
    const message = `The baseline is in ${unit}, the candidate in ${other}: these are different things and have no ratio.`;
    return { ...common, ...empty, status: 'mixed-units', notes: [...notes, { id: 'mixed-units', message }] };
  }
  if (baseline.failed > 0 || candidate.failed > 0) return { ...common, ...empty, status: 'failed', notes };
  const chosen = choose(pair, resolved.method);
  const b = known(chosen.baseline.map(subject.valueOf));
  const c = known(chosen.candidate.map(subject.valueOf))?.map((value) => value * factor) ?? null;
  if (b === null || c === null) {
    const sides = [b === null ? 'baseline' : null, c === null ? 'candidate' : null].filter((side) => side !== null);
    const message = leads
      ? `No fork of the ${sides.join(' and the ')} holds a measurement.`
      : `Not every fork of the ${sides.join(' and of the ')} has a ${metric}.`;
    return { ...common, ...empty, status: 'no-data', notes: [...notes, { id: 'no-data', message }] };
  }
  const values = { baseline: b, candidate: c };
  notes.push(...(leads ? chosen.notes : []));
  if (chosen.unpaired) return { ...common, ...empty, values, status: 'unpaired', notes };
  const method = methodFor(subject, chosen.method);
  // Without a direction the ratio is candidate / baseline, as where lower is better.
  const options = { confidence: resolved.confidence, better: better ?? 'lower', seed: resolved.seed };
  const found = estimate(method, c, b, options);
  notes.push(...valueNotes(found, values, { unit, metric, counts }), ...subject.notes(chosen));
  const aware = leads ? awareOf(chosen, factor, method, options, pair) : null;
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

/** The values, or null when one is missing or there are none. */
const known = (values: readonly (number | null)[]): number[] | null =>
  values.length > 0 && values.every((value) => value !== null) ? (values as number[]) : null;

/**
 * The quantiles of a fork are skewed, so their logarithms are averaged; pairs do so anyway. Counts can be zero, and the speed of the machine
 * is not in them: log-delta, which needs means above zero only.
 */
function methodFor({ quantile, counts }: Subject, method: Chosen['method']): Chosen['method'] {
  if (counts) return 'log-delta';
  return quantile !== null && method !== 'paired' ? 'geometric' : method;
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
