/** When warm-up is over: small objects that see the windows so far and answer whether another one is wanted. */
import type { Tier } from '../result/model.js';

/** What a stage sees of a warm-up iteration. */
export interface Window {
  /** Median ns per invocation; null when nothing was measured. */
  readonly nsPerInvocation: number | null;
  /** Wall time, fixtures included, ms. */
  readonly wallMs: number;
  /** Tiers at its end; null = cannot be seen. */
  readonly loop: Tier | null;
  readonly body: Tier | null;
  /** Compilation of either was pending at its end, or a tier changed inside. */
  readonly restless: boolean;
}

export type WarmupAnswer = 'again' | 'steady' | 'fixed' | 'cap';

export interface WarmupStage {
  readonly next: (windows: readonly Window[]) => WarmupAnswer;
}

/** Windows that must be of equal speed, and how equal: (max - min) / min of their medians. */
const EQUAL_WINDOWS = 3;
const EQUAL_WITHIN = 0.05;
/** From this on, tiers of loop and body do not decide, here and in the finding `not-top-tier`: interpreting the loop costs less than 0.1 % of the invocation. */
export const LONG_INVOCATION_NS = 100_000;

export const isTop = (tier: Tier | null): boolean => tier === 'turbofan' || tier === 'optimized';

/** Exactly `count` windows. */
export function fixedWarmup(count: number): WarmupStage {
  return { next: (windows) => (windows.length < count ? 'again' : 'fixed') };
}

/**
 * Until steady: at least `minMs`; the last three windows of equal speed and without compilation; and optimised code.
 * Equal speed alone accepts a lower tier, which can be perfectly steady and several times slower. A body that stays
 * below the top while the loop has reached it and nothing is pending has been inlined into the loop, or can never be
 * optimised; three quiet windows settle that. After `maxMs` of wall time warm-up ends in any case, with `cap`.
 */
export function steadyWarmup(minMs: number, maxMs: number): WarmupStage {
  return {
    next(windows) {
      const spent = windows.reduce((sum, window) => sum + window.wallMs, 0);
      if (spent >= minMs && isSteady(windows)) return 'steady';
      return spent >= maxMs ? 'cap' : 'again';
    },
  };
}

function isSteady(windows: readonly Window[]): boolean {
  if (windows.length < EQUAL_WINDOWS) return false;
  const last = windows.slice(-EQUAL_WINDOWS);
  const speeds = last.map((window) => window.nsPerInvocation);
  if (speeds.some((speed) => speed === null)) return false;
  const [low, high] = [Math.min(...(speeds as number[])), Math.max(...(speeds as number[]))];
  if (high - low > EQUAL_WITHIN * low) return false;
  if (last.some((window) => window.restless)) return false;
  const { loop } = last[last.length - 1]!;
  if (low >= LONG_INVOCATION_NS || loop === null) return true;
  return isTop(loop);
}

/** Length of a warm-up window, ms, so that at least four fit into the minimum. */
export function windowMs(minMs: number): number {
  return Math.min(100, Math.max(5, minMs / 4));
}
