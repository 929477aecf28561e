/** Validation of arguments: misuse throws with one sentence that says what was passed and what is wanted. */

/** Highest number of CPUs a Linux kernel can be built for; a number from here on is a mistake, not a missing CPU. */
const MAX_CPUS = 8192;

/**
 * The CPUs as an ascending list without repetitions.
 * @throws TypeError when it is not an array of numbers; RangeError when it is empty or a number is no CPU number.
 */
export function checkCpus(what: string, cpus: readonly number[]): number[] {
  if (!Array.isArray(cpus)) throw new TypeError(`${what}: pass an array of CPU numbers, not ${describe(cpus)}`);
  if (cpus.length === 0) throw new RangeError(`${what}: the set of CPUs is empty; a thread needs at least one`);
  for (const cpu of cpus) {
    if (typeof cpu !== 'number') throw new TypeError(`${what}: a CPU is a number, not ${describe(cpu)}`);
    if (!Number.isInteger(cpu) || cpu < 0 || cpu >= MAX_CPUS) {
      throw new RangeError(`${what}: ${cpu} is no CPU number; use whole numbers from 0 to ${MAX_CPUS - 1}`);
    }
  }
  return [...new Set(cpus)].sort((a, b) => a - b);
}

/** @throws TypeError, RangeError when `value` is not a whole number in [min, max]. */
export function checkInteger(what: string, value: number, min: number, max: number): number {
  if (typeof value !== 'number') throw new TypeError(`${what}: pass a number, not ${describe(value)}`);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${what}: ${value} is out of range; use a whole number from ${min} to ${max}`);
  }
  return value;
}

/** @throws TypeError, RangeError when one of `tids` is no thread id. */
export function checkThreadIds(what: string, tids: readonly number[]): number[] {
  if (!Array.isArray(tids)) throw new TypeError(`${what}: pass an array of thread ids, not ${describe(tids)}`);
  return tids.map((tid) => checkInteger(`${what}: thread id`, tid, 1, 0x7fff_ffff));
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the string ${JSON.stringify(value)}`;
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
