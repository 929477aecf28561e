import { parseDuration } from '../suite/latency-options.js';
import { allows, neededFor } from './ladder.js';
import type { LatencyData } from './model.js';
import { merged, TABLES } from './summary.js';

/** A limit such as `p99=2ms`, `max=50ms`, `service:p99.9=10ms` or `parse:p50=3us`. */
export interface Threshold {
  readonly text: string;
  /** `endToEnd`, `service`, `lateness`, `driverDelay` or a probe. */
  readonly table: string;
  /** 0 to 100; 100 = the worst sample. */
  readonly level: number;
  readonly limitNs: number;
}

/** Whether a limit was kept, with the margin in words. */
export interface ThresholdResult {
  readonly threshold: Threshold;
  readonly status: 'kept' | 'exceeded' | 'too-few';
  /** ns over all runs together; null without enough samples. */
  readonly valueNs: number | null;
  /** One sentence with the margin. */
  readonly message: string;
}

/** Reads a limit as users write it; see {@link Threshold} for the forms. @throws TypeError or RangeError that quotes the text. */
export function parseThreshold(text: string): Threshold {
  // Greedy: names of probes may have colons.
  const match = /^(?:(.+):)?(?:p([0-9.]+)|max|worst)=(.+)$/.exec(text.trim());
  if (!match)
    throw new TypeError(`--max ${text}: write a percentile and a limit, such as p99=2ms, max=50ms or parse:p99=10us`);
  const level = match[2] === undefined ? 100 : Number(match[2]);
  if (!(level > 0 && level <= 100))
    throw new RangeError(`--max ${text}: the percentile must be above 0 and at most 100`);
  return { text, table: match[1] ?? 'endToEnd', level, limitNs: parseDuration(match[3]!, `--max ${text}`) };
}

const time = (ns: number) =>
  ns >= 1e6 ? `${(ns / 1e6).toFixed(3)} ms` : ns >= 1000 ? `${(ns / 1000).toFixed(3)} us` : `${ns} ns`;

/**
 * Does every limit name something that is measured? Asked before anything is.
 * @throws TypeError for a table that is neither built in nor one of the probes.
 */
export function checkTables(thresholds: readonly Threshold[], probes: readonly string[]): void {
  const known: readonly string[] = [...TABLES, ...probes];
  const lost = thresholds.find(({ table }) => !known.includes(table));
  if (lost) throw new TypeError(`--max ${lost.text}: there is no "${lost.table}"; use one of ${known.join(', ')}`);
}

/**
 * Checks limits against all runs and forks together. A percentile with fewer than ten samples beyond it cannot be decided and is not kept.
 * @throws TypeError for a table that is neither built in nor a probe.
 */
export function checkThresholds(data: LatencyData, thresholds: readonly Threshold[]): ThresholdResult[] {
  checkTables(thresholds, data.config.probes);
  const runs = data.forks.flatMap((fork) => fork.runs);
  return thresholds.map((threshold) => {
    const { table, level, limitNs, text } = threshold;
    const h = merged(runs, table);
    if (h.count === 0 || (level < 100 && !allows(level, h.count))) {
      const needed = level < 100 ? neededFor(level) : 1;
      return {
        threshold,
        status: 'too-few',
        valueNs: null,
        message: `${text}: cannot be decided, needs ${needed} samples and has ${h.count}`,
      };
    }
    const valueNs = h.percentile(level);
    const kept = valueNs <= limitNs;
    const share = limitNs === 0 ? '' : ` (${((100 * Math.abs(valueNs - limitNs)) / limitNs).toFixed(1)} %)`;
    const margin = `${time(Math.abs(valueNs - limitNs))}${share} ${kept ? 'below' : 'above'} the limit`;
    return { threshold, status: kept ? 'kept' : 'exceeded', valueNs, message: `${text}: ${time(valueNs)}, ${margin}` };
  });
}
