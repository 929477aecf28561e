import { checkKeys } from '../native/check-keys.js';
import type { JitterOptions } from '../native/surface/jitter.js';
import { checkFlag, MAX_CPUS, within } from '../thread/check.js';

/** What to sample. */
export interface SamplerOptions {
  /** CPU to pin the sampling thread to. Left out: not pinned, and causes that belong to a CPU are unknown. */
  readonly cpu?: number;
  /**
   * - `spin` (default): reads the clock as fast as it can; finds what is taken from a busy thread. Uses the whole CPU.
   * - `sleep`: sleeps `intervalMs` again and again; finds how late an idle thread wakes up (jHiccup's question).
   */
  readonly kind?: 'spin' | 'sleep';
  /** Ends by itself after so many ms, above 0, at most a day. Left out: a day, or until `stop()`. */
  readonly durationMs?: number;
  /**
   * Shortest gap that counts, ns, at least 1. Left out: `spin` max(200 ns, 8 x median turn of the loop), `sleep` max(50 us, 8 x what the
   * median wake-up is later than the earliest). `spin` never goes below two turns of the loop; the result says what was used.
   */
  readonly thresholdNs?: number;
  /** Gaps kept with their times, the longest ones: 16 to 4194304, 24 bytes each. Default 65536. Counts and sums cover all gaps. */
  readonly capacity?: number;
  /** Run under SCHED_FIFO (priority 50). A spinning sampler then keeps everything of lower priority off its CPU. Default false. */
  readonly fifo?: boolean;
  /** `sleep` only: time between wake-ups, ms, 0.05 to 1000. Default 1. */
  readonly intervalMs?: number;
}

const MAX_DURATION_MS = 86_400_000;
const KEYS = new Set(['cpu', 'kind', 'durationMs', 'thresholdNs', 'capacity', 'fifo', 'intervalMs']);

/** The options as the addon takes them. @throws TypeError, RangeError with what was passed and what is wanted. */
export function checkOptions(options: SamplerOptions): Omit<JitterOptions, 'nsPerTick' | 'kernel'> {
  checkKeys('jitter', options, KEYS, '{ cpu: 1, durationMs: 1000 }');
  const { kind = 'spin', fifo = false } = options;
  if (kind !== 'spin' && kind !== 'sleep') throw new TypeError(`jitter: kind must be 'spin' or 'sleep', not ${kind}`);
  if (kind === 'spin' && options.intervalMs !== undefined) {
    throw new TypeError("jitter: intervalMs belongs to kind 'sleep'; a spinning sampler has no interval");
  }
  const cpu =
    options.cpu === undefined ? -1 : within('jitter: cpu', options.cpu, 0, MAX_CPUS - 1, 'a CPU number', true);
  const durationMs = within('jitter: durationMs', options.durationMs ?? MAX_DURATION_MS, 0, MAX_DURATION_MS, 'ms');
  if (durationMs === 0) throw new RangeError('jitter: durationMs must be above 0');
  return {
    sleep: kind === 'sleep',
    cpu,
    fifo: checkFlag('jitter: fifo', fifo),
    durationNs: durationMs * 1e6,
    thresholdNs:
      options.thresholdNs === undefined ? 0 : within('jitter: thresholdNs', options.thresholdNs, 1, 1e12, 'ns'),
    capacity: within('jitter: capacity', options.capacity ?? 65_536, 16, 4_194_304, 'a number of gaps', true),
    intervalNs: within('jitter: intervalMs', options.intervalMs ?? 1, 0.05, 1000, 'ms') * 1e6,
  };
}
