import { checkKeys } from '../native/check-keys.js';
import { type Outcome, withoutAddon } from '../native/outcome.js';
import type { CountersSurface } from '../native/surface/counters.js';
import { median } from '../stats/quantile.js';
import { surface, surfaceReason } from './addon.js';
import { type CycleSource, type Cycles, SOURCES, tryCycles } from './cycles.js';
import { checkNames, type EventInfo, events, type FailedEvent, MAX_EVENTS, open } from './open.js';

/** What a survey tries. */
export interface SurveyOptions {
  /** Only these events; default: all that {@link events} lists. */
  events?: readonly string[];
  /** Count what the kernel does for the thread as well. Default false: user code only. */
  kernel?: boolean;
  /** Allow rdpru where the CPU does not advertise it, if it works in a child process (6 to 14 ms). Default false. */
  probe?: boolean;
}

const KEYS: ReadonlySet<string> = new Set(['events', 'kernel', 'probe'] satisfies (keyof SurveyOptions)[]);

/** An event that can be counted here. */
export interface AvailableEvent extends EventInfo {
  /** What an empty section counts when the event is alone, the smallest of 101; null when it was never on the PMU meanwhile. */
  overhead: number | null;
}

/** One source of cycles, over repeats of the same work. */
export interface SurveyedCycles {
  source: CycleSource;
  sections: number;
  /** How many of them could be trusted. */
  valid: number;
  /** Median over the valid ones; null when there was none. */
  ghz: number | null;
  /** Highest valid GHz less the lowest, as a share of the median: how well the source agrees with itself. */
  spread: number | null;
  /** Its GHz by that of the first source: how well the two agree. */
  ratio: number | null;
}

/** What can be counted on this machine and what cannot. */
export interface Survey {
  kernel: boolean;
  available: AvailableEvent[];
  missing: FailedEvent[];
  /**
   * What of `available` goes into one group, tried with the first {@link MAX_EVENTS}, and how long an empty section of it takes from JavaScript,
   * ns; null when nothing is available.
   */
  group: { names: readonly string[]; failed: readonly FailedEvent[]; sectionNs: number } | null;
  /** Best first, which is the one that {@link openCycles} takes; empty when there is none. */
  cycles: SurveyedCycles[];
  /** Why each other source is not there. */
  skipped: { source: CycleSource; reason: string }[];
}

/** Sections that time a source of cycles. Each costs one work of some 0.3 ms and, with `estimated`, two measurements of the frequency. */
const SECTIONS = 11;

/** Empty sections that are timed at once, so that the clock's own step does not count. */
const BRACKETS = 101;

/**
 * Tries every event alone, all of them together and every source of cycles (some 50 ms). Refused only without the addon.
 * @throws TypeError for an unknown event or option, RangeError for no event or a name given twice.
 */
export function survey(options: SurveyOptions = {}): Outcome<{ survey: Survey }> {
  checkKeys('survey', options, KEYS, "{ events: ['task-clock'] }");
  const { kernel = false, probe = false } = options;
  const known = events();
  const names = options.events ?? known?.map(({ name }) => name) ?? [];
  if (options.events) checkNames(names, known?.map(({ name }) => name) ?? null, Number.POSITIVE_INFINITY);
  const native = surface();
  if (!native || !known) return withoutAddon('counters', surfaceReason());
  const available: AvailableEvent[] = [];
  const missing: FailedEvent[] = [];
  for (const name of names) {
    const opened = open([name], { kernel });
    if (opened.ok) {
      const { overhead } = opened.counters;
      available.push({ ...known.find((event) => event.name === name)!, overhead: overhead?.[name] ?? null });
      opened.counters.close();
    } else {
      const { errno, code, hint } = opened;
      missing.push({ name, errno: errno ?? 0, code, hint });
    }
  }
  const together = available.slice(0, MAX_EVENTS).map(({ name }) => name);
  return {
    ok: true,
    survey: { kernel, available, missing, group: groupOf(together, kernel), ...cyclesOf(native, probe) },
  };
}

function groupOf(names: readonly string[], kernel: boolean): Survey['group'] {
  if (names.length === 0) return null;
  const opened = open(names, { kernel, calibration: BRACKETS });
  if (!opened.ok) return null;
  const { counters } = opened;
  const into = new Float64Array(counters.names.length + 2);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < BRACKETS; i++) {
      counters.begin();
      counters.end(into);
    }
    times.push(Number(process.hrtime.bigint() - start) / BRACKETS);
  }
  counters.close();
  return { names: counters.names, failed: counters.failed, sectionNs: median(times) };
}

/** Every source around the same work, in turns, so that a change of frequency meets all of them. */
function cyclesOf(native: CountersSurface, probe: boolean): Pick<Survey, 'cycles' | 'skipped'> {
  const skipped: Survey['skipped'] = [];
  const opened: { cycles: Cycles; ghz: number[] }[] = [];
  for (const source of SOURCES) {
    const tried = tryCycles(native, source, probe);
    if (tried.cycles) opened.push({ cycles: tried.cycles, ghz: [] });
    else skipped.push({ source, reason: tried.reason });
  }
  let sink = 0;
  for (let i = 0; i < SECTIONS; i++) {
    for (const { cycles, ghz } of opened) {
      cycles.begin();
      sink = work(sink);
      const reading = cycles.end();
      if (reading.valid && reading.ghz !== null) ghz.push(reading.ghz);
    }
  }
  for (const { cycles } of opened) cycles.close();
  const first = opened[0] ? summary(opened[0].ghz).ghz : null;
  const cycles = opened.map(({ cycles: { source }, ghz }) => {
    const of = summary(ghz);
    const ratio = of.ghz === null || first === null ? null : of.ghz / first;
    return { source, sections: SECTIONS, valid: ghz.length, ...of, ratio };
  });
  return { cycles, skipped };
}

function summary(ghz: readonly number[]): Pick<SurveyedCycles, 'ghz' | 'spread'> {
  if (ghz.length === 0) return { ghz: null, spread: null };
  const middle = median(ghz);
  return { ghz: middle, spread: (Math.max(...ghz) - Math.min(...ghz)) / middle };
}

/** Some 0.3 ms in user code; its result goes into the next one, or there would be no work. */
function work(seed: number): number {
  let x = seed;
  for (let i = 0; i < 200_000; i++) x = (Math.imul(x, 3) + i) | 0;
  return x;
}
