import type { Comparison } from './types.js';

/** What a comparison as a whole says to a build. */
export type Gate = 'ok' | 'regressed' | 'failed' | 'inconclusive';

/**
 * `regressed`: some row is; `failed`: the candidate of some row failed, which is no better; `inconclusive`: neither, but some row is undecided, or
 * a trial of the baseline is missing, or there more than
 * once on a side. Rows of kind `winner` say who won, not whether something got worse, and are not asked; secondary
 * rows are for reading.
 */
export function gate({ rows, notes }: Pick<Comparison, 'rows' | 'notes'>): Gate {
  const asked = rows.filter((row) => row.kind !== 'winner' && row.standing !== 'secondary');
  if (asked.some((row) => row.verdict === 'regressed')) return 'regressed';
  if (asked.some((row) => row.status === 'failed' && row.candidate.failed > 0)) return 'failed';
  const undecided = asked.some((row) => row.verdict === 'inconclusive');
  const open = new Set(['only-in-baseline', 'twice-in-baseline', 'twice-in-candidate']);
  return undecided || notes.some((note) => open.has(note.id)) ? 'inconclusive' : 'ok';
}
