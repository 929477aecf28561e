import type { Fork, Iteration, Trial } from '../result/model.js';

/** Chunks from which on their median says more about the program than the mean of the iteration. */
const ENOUGH_CHUNKS = 5;

/** Forks that ran to their end. */
export const goodForks = (trial: Trial): readonly Fork[] => trial.forks.filter((fork) => fork.status === 'ok');

/** Measured iterations of forks that ran to their end, with the fork they belong to. */
export const measured = (trial: Trial): readonly { readonly fork: Fork; readonly iteration: Iteration }[] =>
  goodForks(trial).flatMap((fork) => fork.iterations.map((iteration) => ({ fork, iteration })));

/** Mean time of an op in an iteration, ns; null when it measured nothing. A cost in every mode. */
export const meanNs = ({ ops, elapsedNs }: Iteration): number | null =>
  ops > 0 && elapsedNs > 0 ? elapsedNs / ops : null;

/** Mean time of an op over all measured iterations of a fork, ns. */
export function forkNs(fork: Fork): number | null {
  let [ops, ns] = [0, 0];
  for (const iteration of fork.iterations) {
    ops += iteration.ops;
    ns += iteration.elapsedNs;
  }
  return ops > 0 && ns > 0 ? ns / ops : null;
}

/**
 * Typical time of an op in an iteration, ns: the median over its chunks where there are enough, which a gap does not reach (a level
 * that moves because the machine was busy is not a program that warms up), else the mean.
 */
export function typicalNs(iteration: Iteration): number | null {
  const { chunks } = iteration;
  return chunks !== null && chunks.count >= ENOUGH_CHUNKS && chunks.medianNs > 0 ? chunks.medianNs : meanNs(iteration);
}

/** Sum over measured iterations of what `of` says. */
export const total = (trial: Trial, of: (iteration: Iteration) => number): number =>
  measured(trial).reduce((sum, { iteration }) => sum + of(iteration), 0);

/**
 * Time over which an iteration was measured, ns, summed over its threads: chunks and what lies between them. Gaps and pauses fall into
 * either, so that a share of this is never more than the whole; of the chunks alone it could be.
 */
export const spanNs = ({ wallNs, elapsedNs, threads }: Iteration): number =>
  Math.max(elapsedNs, wallNs * (threads?.length ?? 1));

/** Did the user set this option (anywhere but in the table of defaults), or use this flag? */
export const chose = (trial: Trial, flags: ReadonlySet<string>, option: string, flag: string): boolean =>
  flags.has(flag) || (trial.options[option] !== undefined && trial.options[option].source !== 'default');
