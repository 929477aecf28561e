import { Histogram, type HlogInterval, percentileText, writeHlog } from '../../histogram/index.js';
import type { LatencyData } from '../model.js';
import { merged } from '../summary.js';
import { titleOf } from '../title.js';

/**
 * `.hlog` of a measurement, values in ns: a line per interval of each run for response times (two digits), tagged `run1`... (with several
 * forks `fork1.run1`), and one line per probe and run over its whole length (three digits), tagged `run1.<probe>`.
 */
export function hlogText(data: LatencyData): string {
  const intervals: HlogInterval[] = [];
  const several = data.forks.length > 1;
  const startTimeMs = Date.parse(data.createdAt);
  for (const fork of data.forks) {
    for (const run of fork.runs) {
      const tag = `${several ? `fork${fork.index + 1}.` : ''}run${run.run}`;
      const base = (Date.parse(run.startedAt) - startTimeMs) / 1000;
      for (const { startNs, lengthNs, response } of run.intervals) {
        const histogram = Histogram.from(response, { digits: 2, correction: 'planned-start' });
        intervals.push({ startSec: base + startNs / 1e9, lengthSec: lengthNs / 1e9, tag, histogram });
      }
      for (const probe of data.config.probes) {
        const histogram = Histogram.from(run.probes[probe]!);
        intervals.push({ startSec: base, lengthSec: run.elapsedNs / 1e9, tag: `${tag}.${probe}`, histogram });
      }
    }
  }
  intervals.sort((a, b) => a.startSec - b.startSec);
  return writeHlog(intervals, { startTimeMs, comments: [`[${titleOf(data)}, response times in ns]`] });
}

/** HdrHistogram percentile text of response times in us, all runs merged. */
export function percentilesText(data: LatencyData): string {
  return percentileText(
    merged(
      data.forks.flatMap((fork) => fork.runs),
      'endToEnd',
    ),
    5,
    1000,
  );
}
