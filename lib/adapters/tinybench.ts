/** tscope/adapters/tinybench: our clock in tinybench (6). */
import { hotClock } from '../clock/index.js';

/** What tinybench takes as `timestampProvider`. */
export interface TimestampProvider {
  readonly name: string;
  /** Ticks since the base of the clock. */
  readonly fn: () => number;
  readonly toMs: (ticks: number | bigint) => number;
  readonly fromMs: (ms: number) => number;
}

/**
 * `new Bench({ timestampProvider: timestampProvider() })`: ticks of the counter instead of milliseconds. tinybench subtracts ticks and
 * converts the difference, so that nothing is rounded before. Without the addon the ticks are those of `process.hrtime`, and the name says so.
 */
export function timestampProvider(): TimestampProvider {
  const { read, slot, nsPerTick, info } = hotClock();
  const msPerTick = nsPerTick / 1e6;
  return {
    name: `tscope ${info.source}`,
    fn: () => {
      read();
      return slot[0]!;
    },
    toMs: (ticks) => Number(ticks) * msPerTick,
    fromMs: (ms) => ms / msPerTick,
  };
}
