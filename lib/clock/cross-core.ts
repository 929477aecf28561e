import { constants } from 'node:os';
import { checkKeys } from '../native/check-keys.js';
import { loadAddon } from '../native/load.js';
import { checkNumber, checkWhole } from './check.js';
import { type ClockRefusal, refuse, requireCounter } from './refusal.js';

/** CPUs to compare and how often. */
export interface CrossCoreOptions {
  /** CPUs to compare, 2 to 64 different ones; default: those this thread may use, at most 8 spread over them. */
  readonly cpus?: readonly number[];
  /** Exchanges per pair, 50 to 10000000; default 20000 (about 10 ms when both CPUs are free). */
  readonly exchanges?: number;
  /** Longest time per pair, ms, 1 to 60000; default 2000. */
  readonly limitMs?: number;
}

const KEYS: ReadonlySet<string> = new Set(['cpus', 'exchanges', 'limitMs'] satisfies (keyof CrossCoreOptions)[]);

/** The second CPU's counter against the first's. */
export interface CrossCorePair {
  readonly first: number;
  readonly second: number;
  readonly exchanges: number;
  /** Second minus first, from exchanges in both directions: medians of the 1 % with the shortest round trips. */
  readonly offsetTicks: number;
  /** How much the way there differs from the way back: one direction alone would have been wrong by this. */
  readonly asymmetryTicks: number;
  /** 5th to 95th percentile of those. */
  readonly spreadTicks: number;
  /** Hard bound of the error: half the shortest round trip. */
  readonly boundTicks: number;
  readonly roundTripTicks: number;
  /** Stamps that lie before their question or after their answer: impossible if the counters agree. */
  readonly violations: number;
}

/** Offsets between the counters of several CPUs, or the refusal of the machine. */
export interface CrossCore {
  readonly ok: true;
  readonly cpus: readonly number[];
  /** Allowed CPUs that were not compared. */
  readonly omitted: number;
  readonly pairs: readonly CrossCorePair[];
  /** offsetTicks by position in `cpus`: row's view of column, column minus row. */
  readonly matrix: readonly (readonly number[])[];
  readonly worstTicks: number;
  /** What counts as agreement: twice the granularity, at least 25 ns (what the method tells apart). */
  readonly toleranceTicks: number;
  /** No violation and no offset beyond the tolerance and half its spread: stamps of different CPUs may be subtracted. */
  readonly agree: boolean;
}

/**
 * Compares the counters of CPUs pair by pair: two threads of the addon's own, pinned, exchange stamps through a cache line.
 * Blocks the caller; its own affinity stays as it is.
 *
 * @returns The matrix, or a refusal: `NO_ADDON`, `NO_COUNTER`, `UNSUPPORTED` (no pinning on this platform, or one CPU only),
 * `EINVAL` (a CPU that does not exist or is not allowed), `ETIME` (the CPUs were too busy).
 * @throws TypeError, RangeError on options out of range.
 */
export function crossCore(options: CrossCoreOptions = {}): CrossCore | ClockRefusal {
  checkKeys('crossCore', options, KEYS, '{ cpus: [0, 1] }');
  const exchanges = checkWhole(options.exchanges ?? 20_000, 'crossCore: exchanges', 50, 1e7);
  const limitMs = checkNumber(options.limitMs ?? 2000, 'crossCore: limitMs', 1, 60_000, 'ms');
  const asked = options.cpus === undefined ? null : checkCpus(options.cpus);
  const found = requireCounter('crossCore');
  if (!found.ok) return found;
  const { surface, counter } = found;
  const allowed = loadAddon().addon?.cpu?.getAffinity(0);
  const cpus = asked ?? spread(Array.isArray(allowed) ? allowed : [], 8);
  if (cpus.length < 2) {
    return refuse(
      'UNSUPPORTED',
      Array.isArray(allowed)
        ? 'crossCore: this thread may use one CPU only'
        : `crossCore: no pinning on ${process.platform}`,
      'There is nothing to compare; keep both ends of a measurement on one CPU.',
    );
  }
  const pairs: CrossCorePair[] = [];
  const matrix = cpus.map(() => cpus.map(() => 0));
  for (const [i, first] of cpus.entries()) {
    for (const [j, second] of cpus.entries()) {
      if (j <= i) continue;
      const { errno, ...offset } = surface.offset(first, second, exchanges, limitMs);
      if (errno !== 0) return refusal(errno, first, second);
      pairs.push({ first, second, ...offset });
      matrix[i]![j] = offset.offsetTicks;
      matrix[j]![i] = -offset.offsetTicks;
    }
  }
  const toleranceTicks = Math.max(2 * counter.granularity, (25 * roughHz(surface)) / 1e9);
  const worstTicks = Math.max(...pairs.map((pair) => Math.abs(pair.offsetTicks)));
  return {
    ok: true,
    cpus,
    omitted: asked || !Array.isArray(allowed) ? 0 : allowed.length - cpus.length,
    pairs,
    matrix,
    worstTicks,
    toleranceTicks,
    agree: pairs.every((pair) => agrees(pair, toleranceTicks)),
  };
}

/** A stamp outside its exchange is impossible between equal counters; an offset counts when it exceeds its own noise too. */
export function agrees(
  pair: Pick<CrossCorePair, 'violations' | 'offsetTicks' | 'spreadTicks'>,
  toleranceTicks: number,
): boolean {
  return pair.violations === 0 && Math.abs(pair.offsetTicks) <= toleranceTicks + pair.spreadTicks / 2;
}

function checkCpus(cpus: readonly number[]): readonly number[] {
  if (!Array.isArray(cpus)) throw new TypeError('crossCore: cpus must be an array of CPU numbers');
  for (const cpu of cpus) checkWhole(cpu, 'crossCore: a CPU number', 0, 65_535);
  if (new Set(cpus).size !== cpus.length) throw new RangeError('crossCore: cpus must not repeat a CPU');
  if (cpus.length < 2 || cpus.length > 64)
    throw new RangeError(`crossCore: cpus must name 2 to 64 CPUs, got ${cpus.length}`);
  return cpus;
}

/** At most `n` of `all`, first and last included. */
function spread(all: readonly number[], n: number): readonly number[] {
  if (all.length <= n) return all;
  return Array.from({ length: n }, (_, i) => all[Math.round((i * (all.length - 1)) / (n - 1))]!);
}

/** Two points a few microseconds apart give the frequency well enough for a tolerance. */
function roughHz(surface: { point(out: Float64Array, index: number, tries: number): void }): number {
  const points = new Float64Array(8);
  surface.point(points, 0, 20);
  do surface.point(points, 4, 20);
  while (points[4]! - points[0]! < 100_000);
  return ((points[5]! - points[1]!) / (points[4]! - points[0]!)) * 1e9;
}

function refusal(errno: number, first: number, second: number): ClockRefusal {
  const pair = `crossCore: CPUs ${first} and ${second}`;
  if (errno === constants.errno.EINVAL) {
    const hint = 'Name CPUs that exist and lie in this process’s cpuset.';
    return refuse('EINVAL', `${pair}: a thread cannot run on both`, hint, errno);
  }
  if (errno === constants.errno.ETIME) {
    const hint = 'The CPUs are busy with other work; raise limitMs or try when it is quieter.';
    return refuse('ETIME', `${pair}: too few exchanges in time`, hint, errno);
  }
  return refuse('UNSUPPORTED', `${pair}: no pinning on ${process.platform}`, 'This needs Linux.', errno);
}
