/** The order in which forks run. */
import { mulberry32, shuffle } from '../stats/prng.js';

/** One fork to run. */
export interface Slot {
  /** Index into the plan's trials. */
  readonly trial: number;
  /** 0-based among the trial's measured forks; negative for the discarded ones, -1 being the last of these. */
  readonly fork: number;
  readonly round: number;
  /** Place within the round, 0-based. */
  readonly position: number;
}

/**
 * Every fork of every trial, in the order to run them.
 *
 * `random`: round after round of one fork of each trial that still has some, each round shuffled, so that slow drifts of the machine fall
 * on all trials alike; the order is that of rmitSchedule in lib/stats as long as all trials have equally many forks. `sequential`: trial after trial. The same arguments give the same order.
 */
export function schedule(
  trials: readonly { readonly forks: number; readonly warmupForks: number }[],
  order: 'random' | 'sequential',
  seed: number,
): Slot[] {
  const slots: Slot[] = [];
  if (order === 'sequential') {
    for (const [trial, { forks, warmupForks }] of trials.entries()) {
      // Not -warmupForks: without discarded forks the first one would be -0, which is another number to some comparisons.
      for (let fork = 0 - warmupForks; fork < forks; fork++) {
        slots.push({ trial, fork, round: fork + warmupForks, position: trial });
      }
    }
    return slots;
  }
  const random = mulberry32(seed);
  const rounds = Math.max(0, ...trials.map(({ forks, warmupForks }) => forks + warmupForks));
  for (let round = 0; round < rounds; round++) {
    const members = [...trials.keys()].filter((trial) => round < trials[trial]!.forks + trials[trial]!.warmupForks);
    shuffle(members, random);
    for (const [position, trial] of members.entries()) {
      slots.push({ trial, fork: round - trials[trial]!.warmupForks, round, position });
    }
  }
  return slots;
}

/** A seed for one fork, from the run's seed and the fork's place; independent of what ran before it. */
export function forkSeed(seed: number, slot: Slot): number {
  const mixed = (seed ^ Math.imul(slot.trial + 1, 0x9e3779b1) ^ Math.imul(slot.fork + 0x8000, 0x85ebca6b)) >>> 0;
  return mulberry32(mixed).u32();
}
