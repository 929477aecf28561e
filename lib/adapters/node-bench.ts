/** tscope/adapters/node-bench: our clock in node:bench (Node 26.9 and later, `--experimental-bench`). */
import { type ClockInfo, hotClock } from '../clock/index.js';

/** What a callback of node:bench gets, as far as it is used here. */
export interface BenchContext {
  record(sample: { operations: number; duration_ns: bigint; detail?: unknown }): void;
}

/** What is kept with each sample. */
export interface SampleDetail {
  readonly clock: Pick<ClockInfo, 'backend' | 'source' | 'granularityNs' | 'readNs'>;
  /** Length before rounding to whole ns. */
  readonly ns: number;
}

/**
 * One sample of node:bench, timed with our clock: `bench('x', (b) => record(b, 1000, (n) => { for (let i = 0; i < n; i++) work(); }))`.
 *
 * The sample is rounded to whole ns, which is what node:bench takes; the exact length is in its `detail`.
 *
 * @param operations Ops that `work` performs; handed to it.
 * @returns What `work` returns.
 * @throws RangeError when `operations` is not a whole number above 0, or `work` took less than the clock can tell: do more ops a sample.
 */
export function record<T>(b: BenchContext, operations: number, work: (operations: number) => T): T {
  if (!Number.isSafeInteger(operations) || operations < 1) {
    throw new RangeError(`record: operations must be a whole number above 0, got ${operations}`);
  }
  const { readOrdered: read, slot, nsPerTick, info } = hotClock();
  read();
  const start = slot[0]!;
  const result = work(operations);
  read();
  keep(b, operations, (slot[0]! - start) * nsPerTick, info);
  return result;
}

/**
 * The same for work that returns a promise: the sample ends when it is fulfilled.
 * @throws RangeError as {@link record}.
 */
export async function recordAsync<T>(
  b: BenchContext,
  operations: number,
  work: (operations: number) => PromiseLike<T>,
): Promise<T> {
  if (!Number.isSafeInteger(operations) || operations < 1) {
    throw new RangeError(`recordAsync: operations must be a whole number above 0, got ${operations}`);
  }
  const { readOrdered: read, slot, nsPerTick, info } = hotClock();
  read();
  const start = slot[0]!;
  const result = await work(operations);
  read();
  keep(b, operations, (slot[0]! - start) * nsPerTick, info);
  return result;
}

function keep(b: BenchContext, operations: number, ns: number, info: ClockInfo): void {
  const whole = BigInt(Math.round(ns));
  if (whole < 1n) {
    throw new RangeError(
      `record: ${operations} operations took ${ns} ns, less than one step of node:bench's ns; do more per sample`,
    );
  }
  const { backend, source, granularityNs, readNs } = info;
  const detail: SampleDetail = { clock: { backend, source, granularityNs, readNs }, ns };
  b.record({ operations, duration_ns: whole, detail });
}
