/** From what users write to a resolved latency plan: defaults, one merge, and one sentence for every mistake. */
import type { AnyLatencyDefinition, Arrivals, LatencyOptions, LatePolicy, Rate } from './latency.js';
import { show } from './show.js';
import type { Duration } from './types.js';

/** Arrivals with every unit resolved: rates per second, times in ns. */
export type ArrivalPlan =
  | { readonly kind: 'constant' | 'poisson' | 'uniform' }
  | { readonly kind: 'burst'; readonly onNs: number; readonly offNs: number }
  | { readonly kind: 'ramp'; readonly from: number; readonly to: number }
  | { readonly kind: 'trace'; readonly gaps: readonly number[] };

export type WarmupPlan =
  | { readonly kind: 'count'; readonly events: number }
  | { readonly kind: 'time'; readonly ns: number }
  | { readonly kind: 'steady'; readonly maxNs: number };

/** Every option, resolved. The fork decides nothing but which driver a task needs when `driver` is null. */
export interface LatencyConfig {
  /** Mean planned rate, events per second. */
  readonly ratePerSec: number;
  readonly arrivals: ArrivalPlan;
  readonly seed: number;
  /** Events per run. */
  readonly events: number;
  readonly runs: number;
  readonly forks: number;
  readonly warmup: WarmupPlan;
  readonly pauseAfterWarmupMs: number;
  readonly late: LatePolicy;
  readonly cap: number;
  readonly timeoutNs: number;
  readonly done: 'return' | 'sample';
  readonly driver: 'spin' | 'pacer' | 'timer' | null;
  readonly coordinatedOmission: boolean;
  readonly pin: boolean;
  readonly jitter: boolean;
  readonly keepSamples: boolean;
  readonly probes: readonly string[];
  readonly nodeArgs: readonly string[];
}

/** Planned instants are whole ns below 2^53: 104 days. */
const MAX_PLAN_NS = Number.MAX_SAFE_INTEGER;
const MAX_RATE = 1e9;
const MAX_KEPT = 20_000_000;
const RATE_UNITS: Readonly<Record<string, number>> = { s: 1, ms: 1e3, us: 1e6 };
const TIME_UNITS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, min: 60e9, h: 3600e9 };

/**
 * Events per second.
 * @throws RangeError for a rate that is not above 0, or above 10^9/s (planned starts are whole ns); TypeError for text that is none.
 */
export function parseRate(rate: Rate, what = 'rate'): number {
  let perSec: number;
  if (typeof rate === 'number') perSec = rate;
  else {
    const match = typeof rate === 'string' && /^\s*([0-9_.eE+-]+)\s*(?:\/\s*(s|ms|us))?\s*$/.exec(rate);
    if (!match)
      throw new TypeError(
        `${what}: ${show(rate)} is not a rate; write events per second (20000) or 20000/s, 50/ms, 0.5/us`,
      );
    perSec = Number(match[1]!.replaceAll('_', '')) * RATE_UNITS[match[2] ?? 's']!;
  }
  if (!(perSec > 0) || !Number.isFinite(perSec))
    throw new RangeError(`${what}: must be a finite rate above 0, not ${show(rate)}`);
  if (perSec > MAX_RATE) {
    throw new RangeError(
      `${what}: ${show(rate)} is above 1e9/s; planned starts are whole ns, so events cannot be closer than 1 ns`,
    );
  }
  return perSec;
}

/**
 * A time in ns: a number is ms, text has a unit.
 * @throws RangeError or TypeError when it is none, negative, or beyond 2^53 ns.
 */
export function parseDuration(value: Duration, what: string): number {
  let ns: number;
  if (typeof value === 'number') ns = value * 1e6;
  else {
    const match = typeof value === 'string' && /^\s*(\.?[0-9][0-9_.]*)\s*(ns|us|ms|s|min|m|h)\s*$/.exec(value);
    if (!match)
      throw new TypeError(`${what}: ${show(value)} is not a time; write ms (200) or text such as 200ms, 1.5s, 2m`);
    ns = Number(match[1]!.replaceAll('_', '')) * TIME_UNITS[match[2]!]!;
  }
  if (!(ns >= 0) || ns > MAX_PLAN_NS) throw new RangeError(`${what}: must be from 0 to 104 days, not ${show(value)}`);
  return ns;
}

function whole(value: unknown, what: string, min: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < min) {
    throw new RangeError(`${what}: must be a whole number of at least ${min}, not ${show(value)}`);
  }
  return value as number;
}

function oneOf<T extends string>(value: unknown, what: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw new TypeError(`${what}: ${show(value)} is not one of ${allowed.join(', ')}`);
  return value as T;
}

function flag(value: unknown, what: string): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${what}: must be true or false, not ${show(value)}`);
  return value;
}

function parseArrivals(arrivals: Arrivals): ArrivalPlan {
  if (typeof arrivals === 'string') {
    return { kind: oneOf(arrivals, 'arrivals', ['constant', 'poisson', 'uniform']) };
  }
  const kind = oneOf((arrivals as { kind?: unknown } | null)?.kind, 'arrivals.kind', ['burst', 'ramp', 'trace']);
  if (arrivals.kind === 'burst') {
    const onNs = parseDuration(arrivals.on, 'arrivals.on');
    if (onNs < 1) throw new RangeError(`arrivals.on: must be above 0, not ${show(arrivals.on)}`);
    return { kind: 'burst', onNs, offNs: parseDuration(arrivals.off, 'arrivals.off') };
  }
  if (arrivals.kind === 'ramp') {
    return { kind: 'ramp', from: parseRate(arrivals.from, 'arrivals.from'), to: parseRate(arrivals.to, 'arrivals.to') };
  }
  const { gaps } = arrivals;
  if (!Array.isArray(gaps) || gaps.length === 0)
    throw new TypeError(`arrivals.gaps: must be a list of gaps in ns (${kind})`);
  const bad = gaps.findIndex((gap) => !(gap >= 0) || !Number.isFinite(gap));
  if (bad >= 0) throw new RangeError(`arrivals.gaps[${bad}]: must be ns of at least 0, not ${show(gaps[bad])}`);
  if (gaps.reduce((sum, gap) => sum + gap, 0) <= 0)
    throw new RangeError('arrivals.gaps: at least one gap must be above 0');
  return { kind: 'trace', gaps };
}

function meanRate(rate: Rate | undefined, arrivals: ArrivalPlan): number {
  if (arrivals.kind === 'ramp' || arrivals.kind === 'trace') {
    if (rate !== undefined)
      throw new TypeError(`rate: leave it out with arrivals '${arrivals.kind}', which has its own rate`);
    if (arrivals.kind === 'ramp') return (arrivals.from + arrivals.to) / 2;
    return parseRate((1e9 * arrivals.gaps.length) / arrivals.gaps.reduce((sum, gap) => sum + gap, 0), 'arrivals.gaps');
  }
  if (rate === undefined)
    throw new TypeError('rate: is missing; give planned events per second, for example rate: 1000');
  const perSec = parseRate(rate);
  if (arrivals.kind === 'burst' && perSec * ((arrivals.onNs + arrivals.offNs) / arrivals.onNs) > MAX_RATE) {
    throw new RangeError('rate: inside the bursts it would be above 1e9/s; planned starts are whole ns');
  }
  return perSec;
}

function eventsOf(options: LatencyOptions, perSec: number): number {
  if (options.iterations !== undefined && options.duration !== undefined) {
    throw new TypeError('iterations, duration: give one of the two');
  }
  let events: number;
  if (options.iterations !== undefined) events = whole(options.iterations, 'iterations', 1);
  else {
    const ns = parseDuration(options.duration ?? '10s', 'duration');
    events = Math.round((ns * perSec) / 1e9);
    if (events < 1)
      throw new RangeError(`duration: ${show(options.duration)} at ${perSec}/s is less than one event; make it longer`);
  }
  const length = (events / perSec) * 1e9;
  if (length > MAX_PLAN_NS)
    throw new RangeError(`rate: ${events} events at ${perSec}/s take longer than the clock can hold (104 days)`);
  return events;
}

function parseWarmup(warmup: number | string): WarmupPlan {
  if (warmup === 'steady') return { kind: 'steady', maxNs: 20e9 };
  if (typeof warmup === 'number') return { kind: 'count', events: whole(warmup, 'warmup', 0) };
  return { kind: 'time', ns: parseDuration(warmup, 'warmup') };
}

/** Names of the tables that every measurement has, in results and in the formats of others. A probe of that name would be shown with their numbers. */
export const RESERVED_PROBES = ['endToEnd', 'end-to-end', 'service', 'lateness', 'driverDelay', 'OSJitter'] as const;

function parseProbes(probes: readonly string[]): readonly string[] {
  if (!Array.isArray(probes)) throw new TypeError(`probes: must be a list of names, not ${show(probes)}`);
  for (const [i, name] of probes.entries()) {
    if (typeof name !== 'string' || !/^[^\s,"\p{Cc}]+$/u.test(name)) {
      throw new TypeError(
        `probes[${i}]: ${show(name)} must be a name without white space, comma, quote or control character`,
      );
    }
    if ((RESERVED_PROBES as readonly string[]).includes(name))
      throw new TypeError(`probes[${i}]: ${show(name)} is the name of a table that is always there; give it another`);
    if (probes.indexOf(name) !== i) throw new TypeError(`probes[${i}]: ${show(name)} is there twice`);
  }
  return probes;
}

function parseNodeArgs(args: unknown): readonly string[] {
  if (Array.isArray(args) && args.every((arg) => typeof arg === 'string')) return args;
  throw new TypeError(`nodeArgs: must be a list of strings, not ${show(args)}`);
}

/** Names of all options of `latency()`, for whoever reads them from flags. */
export const LATENCY_OPTION_NAMES = [
  'rate',
  'arrivals',
  'seed',
  'iterations',
  'duration',
  'runs',
  'forks',
  'warmup',
  'pauseAfterWarmup',
  'late',
  'cap',
  'timeout',
  'done',
  'driver',
  'coordinatedOmission',
  'pin',
  'jitter',
  'keepSamples',
  'nodeArgs',
] as const satisfies readonly (keyof LatencyOptions)[]; // prettier-ignore
const KNOWN_OPTIONS: ReadonlySet<string> = new Set(LATENCY_OPTION_NAMES);
const HOOKS = ['where', 'setup', 'inputs', 'warmedUp', 'runComplete', 'teardown'] as const;

/** Overrides win per option; an `iterations` override replaces a declared `duration` and the other way round, and so do rate and arrivals that bring their own. */
export function mergeLatencyOptions(declared: LatencyOptions, overrides: LatencyOptions): LatencyOptions {
  const merged: Record<string, unknown> = { ...declared };
  if (overrides.iterations !== undefined) delete merged.duration;
  if (overrides.duration !== undefined) delete merged.iterations;
  if (overrides.late !== undefined && overrides.late !== 'capped') delete merged.cap;
  const kindOf = (arrivals: Arrivals | undefined) => (typeof arrivals === 'object' ? arrivals.kind : arrivals);
  const ownRate = (arrivals: Arrivals | undefined) => ['ramp', 'trace'].includes(kindOf(arrivals) ?? '');
  if (ownRate(overrides.arrivals)) delete merged.rate;
  if (overrides.rate !== undefined && overrides.arrivals === undefined && ownRate(declared.arrivals))
    delete merged.arrivals;
  for (const [name, value] of Object.entries(overrides)) if (value !== undefined) merged[name] = value;
  return merged as LatencyOptions;
}

/**
 * Checks a definition and resolves its options.
 * @param overrides From the command line; they win.
 * @throws TypeError or RangeError with the field first: `rate: must be a finite rate above 0, not 0`.
 */
export function resolveLatency(definition: AnyLatencyDefinition, overrides: LatencyOptions = {}): LatencyConfig {
  if (typeof definition !== 'object' || definition === null)
    throw new TypeError('latency: the definition must be an object');
  if (typeof definition.run !== 'function')
    throw new TypeError('run: is missing; it is the task, (state, event) => ...');
  for (const hook of HOOKS) {
    if (definition[hook] !== undefined && typeof definition[hook] !== 'function')
      throw new TypeError(`${hook}: must be a function`);
  }
  for (const name of Object.keys(definition)) {
    if (!KNOWN_OPTIONS.has(name) && ![...HOOKS, 'run', 'params', 'probes'].includes(name)) {
      throw new TypeError(`${name}: is not an option of latency(); check the spelling`);
    }
  }
  const unknown = Object.keys(overrides).find((name) => !KNOWN_OPTIONS.has(name));
  if (unknown !== undefined) throw new TypeError(`${unknown}: is not an option that can be overridden`);
  const options = mergeLatencyOptions(definition, overrides);
  const arrivals = parseArrivals(options.arrivals ?? 'constant');
  const ratePerSec = meanRate(options.rate, arrivals);
  const events = eventsOf(options, ratePerSec);
  const timeoutNs = parseDuration(options.timeout ?? '10s', 'timeout');
  if (timeoutNs < 1) throw new RangeError('timeout: must be above 0');
  const cap = options.cap ?? 2;
  if (!(cap > 1) || !Number.isFinite(cap)) throw new RangeError(`cap: must be a number above 1, not ${show(cap)}`);
  if (options.cap !== undefined && options.late !== 'capped')
    throw new TypeError("cap: means nothing without late: 'capped'; give both or leave it out");
  const keepSamples = flag(options.keepSamples ?? false, 'keepSamples');
  if (keepSamples && events > MAX_KEPT)
    throw new RangeError(`keepSamples: ${events} events per run are too many to keep (at most ${MAX_KEPT})`);
  const driver = options.driver === undefined ? null : oneOf(options.driver, 'driver', ['spin', 'pacer', 'timer']);
  const done = oneOf(options.done ?? 'return', 'done', ['return', 'sample']);
  if (driver === 'spin' && done === 'sample') {
    throw new TypeError(
      "driver: 'spin' never lets the event loop run, so a task with done: 'sample' could not finish; use 'pacer' or 'timer'",
    );
  }
  const coordinatedOmission = flag(options.coordinatedOmission ?? true, 'coordinatedOmission');
  if (!coordinatedOmission && options.late === 'skip')
    throw new TypeError("late: 'skip' needs coordinatedOmission: true, since nothing is late without a plan");
  const seed = options.seed ?? 1;
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed: must be a whole number, not ${show(seed)}`);
  return {
    ratePerSec,
    arrivals,
    seed,
    events,
    runs: whole(options.runs ?? 3, 'runs', 1),
    forks: whole(options.forks ?? 1, 'forks', 1),
    warmup: parseWarmup(options.warmup ?? 'steady'),
    pauseAfterWarmupMs: parseDuration(options.pauseAfterWarmup ?? 0, 'pauseAfterWarmup') / 1e6,
    late: oneOf(options.late ?? 'catch-up', 'late', ['catch-up', 'capped', 'skip']),
    cap,
    timeoutNs,
    done,
    driver,
    coordinatedOmission,
    pin: flag(options.pin ?? true, 'pin'),
    jitter: flag(options.jitter ?? true, 'jitter'),
    keepSamples,
    probes: parseProbes(definition.probes ?? []),
    nodeArgs: parseNodeArgs(options.nodeArgs ?? []),
  };
}
