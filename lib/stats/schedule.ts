import { mulberry32, shuffle } from './prng.js';

function checkCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number >= ${least}, got ${value}`);
  }
}

/**
 * Randomised multiple interleaved trials (Abedi and Brecht 2017): `rounds` rounds, each holding every arm 0 .. arms - 1 once in a
 * fresh random order, so that slow changes of the environment reach all arms alike. The same seed gives the same schedule.
 * @throws RangeError for a seed, `arms` (from 1) or `rounds` (from 0) that is not a whole number
 */
export function rmitSchedule(seed: number, arms: number, rounds: number): number[][] {
  checkCount('arms', arms, 1);
  checkCount('rounds', rounds, 0);
  const rng = mulberry32(seed);
  return Array.from({ length: rounds }, () =>
    shuffle(
      Array.from({ length: arms }, (_, arm) => arm),
      rng,
    ),
  );
}

/**
 * Two arms, balanced: half of the rounds run [0, 1], half [1, 0], in random order, so that neither arm is favoured by its place in the
 * round. With an odd number of rounds the extra one is drawn at random.
 * @throws RangeError for a seed or `rounds` (from 0) that is not a whole number
 */
export function balancedPairSchedule(seed: number, rounds: number): number[][] {
  checkCount('rounds', rounds, 0);
  const rng = mulberry32(seed);
  const odd = rounds % 2 === 1 ? rng.below(2) : 0;
  const pairs = Array.from({ length: rounds }, (_, i) => ((i + odd) % 2 === 0 ? [0, 1] : [1, 0]));
  return shuffle(pairs, rng);
}
