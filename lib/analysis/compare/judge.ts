/** Verdicts over all rows of a comparison together. */
import { type Decision, decide, type Reading, type Verdict } from '../../stats/decision.js';
import { mean } from '../../stats/moments.js';
import { type AdjustedVerdict, bonferroniConfidence, holmVerdicts } from '../../stats/multiplicity.js';
import { percent } from '../words.js';
import type { Draft } from './draft.js';
import { type Estimate, forksToDecide } from './estimate.js';
import type { Resolved } from './resolve.js';
import type { ComparisonRow, Note, OtherOutcome, ScoreKind, SideSummary } from './types.js';

interface Judged {
  readonly verdict: Verdict;
  readonly adjustedP: number | null;
}

/**
 * A row's verdict stands when its own interval says so and Holm's correction over the table agrees. For log-delta, geometric and paired the
 * second implies the first; for Fieller and bootstrap, whose evidence is log-delta's, both are needed (with a single row the interval alone).
 */
function verdicts(estimates: readonly (Estimate | null)[], { delta, confidence }: Resolved): (Judged | null)[] {
  const withEvidence = estimates.filter((estimate) => estimate?.evidence != null);
  const holm: AdjustedVerdict[] =
    withEvidence.length === 0
      ? []
      : holmVerdicts(
          withEvidence.map((estimate) => estimate!.evidence!),
          delta,
          confidence,
        );
  const adjusted = new Map(withEvidence.map((estimate, i) => [estimate!, holm[i]!]));
  return estimates.map((estimate) => {
    if (estimate === null || estimate.ratio.low === null) return null;
    const own = decide(estimate.ratio.low, estimate.ratio.high, delta).verdict;
    const joint = adjusted.get(estimate);
    if (joint === undefined) return { verdict: own, adjustedP: null };
    const exact = estimate.ratio.standardError !== null;
    const single = withEvidence.length === 1 && !exact;
    return {
      verdict: single || own === joint.verdict ? own : 'inconclusive',
      adjustedP: joint.adjustedP,
    };
  });
}

const logMean = (values: readonly number[]): number => Math.exp(mean(values.map(Math.log)));

function side(draft: Draft, which: 'baseline' | 'candidate'): SideSummary {
  const arm = draft[which];
  const values = draft.values[which];
  // Quantiles are averaged on a log scale, as their ratio is.
  const average = draft.quantile === null || values.some((value) => !(value > 0)) ? mean : logMean;
  return {
    name: arm.name,
    mean: values.length > 0 ? average(values) : null,
    forks: draft.values[which].length || arm.forks.length,
    failed: arm.failed,
  };
}

function otherOutcome(draft: Draft, judged: Judged | null): OtherOutcome | null {
  const ratio = draft.other?.ratio;
  if (ratio === undefined || ratio.low === null || judged === null) return null;
  return {
    ratio: ratio.ratio,
    interval: [ratio.low, ratio.high],
    verdict: judged.verdict,
    lostBaseline: draft.baseline.lostShare,
    lostCandidate: draft.candidate.lostShare,
  };
}

/** The two scores lead to different verdicts. */
function interferenceNote(judged: ScoreKind, other: OtherOutcome, verdict: Verdict): Note {
  const lost = `${percent(other.lostBaseline)} of the baseline's, ${percent(other.lostCandidate)} of the candidate's`;
  const message =
    judged === 'plain'
      ? `Without the time of a recorded external cause (${lost}) the verdict would be ${other.verdict}, not ${verdict}: the machine decided this row. Measure again when it is quiet, or judge by --score aware.`
      : `With the time of recorded external causes left in (${lost}) the verdict would be ${other.verdict}, not ${verdict}: what the machine took is as large as what is judged. Measure again when it is quiet to be sure.`;
  return { id: 'interference-verdict', message };
}

/** What the interval says when Holm's correction has taken the verdict away: the same, less surely. */
function readingOf({ verdict: own, reading }: Decision, verdict: Verdict): Reading {
  if (own === verdict) return reading;
  return own === 'improved' ? 'better-or-same' : own === 'regressed' ? 'worse-or-same' : 'anything';
}

/**
 * Verdicts of each family of rows on its own: scores and shifts together, secondary rows among themselves, so that a counter more takes no
 * verdict from a score. Null for rows without interval or without direction.
 */
function byFamily(
  drafts: readonly Draft[],
  of: (draft: Draft) => Estimate | null,
  options: Resolved,
): { readonly judged: (Judged | null)[]; readonly rows: (draft: Draft) => number } {
  const family = (secondary: boolean) =>
    verdicts(
      drafts.map((draft) =>
        (draft.standing === 'secondary') === secondary && draft.better !== null ? of(draft) : null,
      ),
      options,
    );
  const [leading, secondary] = [family(false), family(true)];
  const count = (list: readonly (Judged | null)[]) => list.filter((judged) => judged !== null).length;
  const [leadingRows, secondaryRows] = [count(leading), count(secondary)];
  return {
    judged: drafts.map((_, i) => leading[i] ?? secondary[i] ?? null),
    rows: ({ standing }) => (standing === 'secondary' ? secondaryRows : leadingRows),
  };
}

/** The rows, with their verdicts. */
export function judge(drafts: readonly Draft[], options: Resolved): ComparisonRow[] {
  const { delta, confidence, allow } = options;
  const table = byFamily(drafts, (draft) => draft.estimate, options);
  // The other table differs from the judged one only in the rows that have the other score, so that both carry the same correction.
  const other = byFamily(drafts, (draft) => draft.other ?? draft.estimate, options);
  return drafts.map((draft, i) => {
    const { baseline, candidate } = draft;
    const ratio = draft.estimate?.ratio ?? null;
    const judged = table.judged[i] ?? null;
    const rows = table.rows(draft);
    const verdict = draft.better === null ? null : (judged?.verdict ?? 'inconclusive');
    const decision = ratio === null || ratio.low === null ? null : decide(ratio.low, ratio.high, delta);
    const outcome = otherOutcome(draft, other.judged[i] ?? null);
    const notes: Note[] = [...draft.notes];
    if (outcome !== null && outcome.verdict !== verdict && draft.estimate !== null) {
      notes.push(interferenceNote(draft.score, outcome, verdict ?? 'inconclusive'));
    }
    if (verdict === 'inconclusive' && decision !== null && decision.verdict !== 'inconclusive') {
      notes.push({
        id: 'holm',
        message: `Alone this row would be ${decision.verdict}; among ${rows} rows its evidence (adjusted p ${judged?.adjustedP?.toPrecision(2)}) is not enough.`,
      });
    }
    return {
      kind: draft.kind,
      file: candidate.file || baseline.file,
      suite: baseline.suite,
      params: baseline.params,
      mode: baseline.mode,
      standing: draft.standing,
      metric: draft.metric,
      unit: draft.unit,
      better: draft.better,
      numerator: draft.better === 'higher' ? 'baseline' : 'candidate',
      baseline: side(draft, 'baseline'),
      candidate: side(draft, 'candidate'),
      status: draft.status,
      ratio: ratio?.ratio ?? null,
      interval: ratio === null || ratio.low === null ? null : [ratio.low, ratio.high],
      confidence,
      delta,
      method: ratio?.method ?? null,
      // Infinity is no JSON number.
      df: ratio?.df != null && Number.isFinite(ratio.df) ? ratio.df : null,
      verdict,
      reading: decision === null || verdict === null ? null : readingOf(decision, verdict),
      excludesOne: decision?.excludesOne ?? null,
      adjustedP: judged?.adjustedP ?? null,
      forksNeeded:
        verdict === 'inconclusive' && ratio?.ratio != null
          ? forksToDecide(draft.values.candidate, draft.values.baseline, draft.paired, {
              ratio: ratio.ratio,
              delta,
              confidence: bonferroniConfidence(confidence, Math.max(1, rows)),
            })
          : null,
      score: draft.score,
      aware: draft.score === 'plain' ? outcome : null,
      plain: draft.score === 'aware' ? outcome : null,
      notes: notes.filter((note) => !allow.has(note.id)),
    };
  });
}
