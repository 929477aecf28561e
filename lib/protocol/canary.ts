/** When a canary strays: one rule for the fork that times it, the host that may run a fork again, and the analysis. */

/** Times of the two canaries, ns. */
export interface CanaryTimes {
  readonly arithmeticNs: number;
  readonly memoryNs: number;
}

/** How much slower than usual a canary may run; memory is shared with neighbours and varies more. */
export const ARITHMETIC_STRAY = 0.1;
export const MEMORY_STRAY = 0.25;

/** Is one of the two slower than usual by more than it may be? */
export function strays(times: CanaryTimes, usual: CanaryTimes): boolean {
  return (
    times.arithmeticNs > usual.arithmeticNs * (1 + ARITHMETIC_STRAY) ||
    times.memoryNs > usual.memoryNs * (1 + MEMORY_STRAY)
  );
}
