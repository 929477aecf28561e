/** Which forks of a pair of arms are compared, and by which method. */
import { MIN_ROUNDS, pairsOf } from './pairing.js';
import type { Resolved } from './resolve.js';
import type { Arm, ComparisonRow, ForkSample, Note } from './types.js';

export interface PairOfArms {
  readonly kind: ComparisonRow['kind'];
  readonly baseline: Arm;
  readonly candidate: Arm;
}

export interface Chosen {
  readonly baseline: readonly ForkSample[];
  readonly candidate: readonly ForkSample[];
  readonly method: Exclude<Resolved['method'], 'auto'>;
  readonly notes: readonly Note[];
  readonly unpaired: boolean;
}

/** Settles `auto`, and whether pairs can be had. */
export function choose({ kind, baseline, candidate }: PairOfArms, method: Resolved['method']): Chosen {
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
