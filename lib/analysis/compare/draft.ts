/** One row before Holm's correction: the ratio of two arms in one metric, with everything that follows from these two alone. */
import { unitFactor } from '../../result/units.js';
import type { Better, Ratio } from '../../stats/ratio/types.js';
import { type Chosen, choose, type PairOfArms } from './choose.js';
import { type Estimate, estimate } from './estimate.js';
import { armNotes, valueNotes } from './notes.js';
import type { Resolved } from './resolve.js';
import { headline, type Subject, secondarySubjects, shiftSubjects } from './subjects.js';
import type { Arm, ComparisonRow, Note, RowStatus, ScoreKind, Standing } from './types.js';

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
  /** Which score `estimate` and `values` are of. */
  readonly score: ScoreKind;
  /** The same estimate on the other score, when every fork has both, they differ, and it has an interval. */
  readonly other: Estimate | null;
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
  const leads = standing === 'headline';
  // Quantiles and counters have no aware form.
  const score = leads ? resolved.score : 'plain';
  const common = { ...pair, standing, metric, quantile, unit, better, score };
  const notes = leads ? [...armNotes(baseline, candidate), ...more] : [];
  const empty = { estimate: null, values: { baseline: [], candidate: [] }, paired: false, other: null };
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
  notes.push(...(leads ? chosen.notes : []));
  const plain = { baseline: b, candidate: c };
  if (chosen.unpaired) return { ...common, ...empty, values: plain, status: 'unpaired', notes };
  const method = methodFor(subject, chosen.method);
  // Without a direction the ratio is candidate / baseline, as where lower is better.
  const options = { confidence: resolved.confidence, better: better ?? 'lower', seed: resolved.seed, zeros: counts };
  const estimateOf = (of: Values) => estimate(method, of.candidate, of.baseline, options);
  const aware = leads ? awareValues(chosen, factor) : null;
  if (score === 'aware' && aware === null) {
    const other = withInterval(estimateOf(plain));
    const message = `Not every fork has an interference-aware score (there is none in the modes sample and ss, nor from another harness), so --score aware cannot judge this row. Judge it by --score plain.`;
    notes.push({ id: 'no-aware-score', message });
    return { ...common, ...empty, other, status: 'no-aware-score', notes };
  }
  const values = score === 'aware' ? aware! : plain;
  const rest = score === 'aware' ? plain : aware;
  const found = estimateOf(values);
  notes.push(...valueNotes(found, values, { unit, metric, counts }), ...subject.notes(chosen));
  const differ = baseline.lostShare > 0 || candidate.lostShare > 0;
  return {
    ...common,
    status: STATUS[found.ratio.status],
    estimate: found,
    values,
    paired: method === 'paired',
    other: differ && rest !== null ? withInterval(estimateOf(rest)) : null,
    notes,
  };
}

type Values = Draft['values'];

const withInterval = (found: Estimate): Estimate | null => (found.ratio.low === null ? null : found);

/** Interference-aware scores of all forks in the row's unit; null when one has none. */
function awareValues({ baseline, candidate }: Chosen, factor: number): Values | null {
  const b = known(baseline.map((fork) => fork.aware));
  const c = known(candidate.map((fork) => fork.aware))?.map((value) => value * factor) ?? null;
  return b === null || c === null ? null : { baseline: b, candidate: c };
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
