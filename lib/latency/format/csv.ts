import type { LatencyData } from '../model.js';
import { mergedJitter } from '../result.js';
import { type RunSummary, summaryOf } from '../summary.js';

const HEAD = ',50th p-le,90th p-le,99th p-le,999th p-le,9999th p-le,Worst,Run,';

/**
 * CSV in JLBH's layout (integer ns, empty where a percentile is not to be had, a comma after every cell), for all runs: its columns stay
 * where they are, a last column names the run, rows repeat per run.
 */
export function csvText(data: LatencyData): string {
  const several = data.forks.length > 1;
  const rows = [HEAD];
  for (const fork of data.forks) {
    for (const run of fork.runs) {
      const name = several ? `${fork.index + 1}.${run.run}` : String(run.run);
      const row = (label: string, s: RunSummary) => {
        const cells = [s.p50, s.p90, s.p99, s.p999, s.p9999, s.worst].map((ns) =>
          ns === null ? '' : String(Math.round(ns)),
        );
        rows.push(`${[label, ...cells, name].join(',')},`);
      };
      row('endToEnd', summaryOf(run.response));
      for (const probe of data.config.probes) row(probe, summaryOf(run.probes[probe]!));
      const jitter = mergedJitter(run.jitter);
      if (jitter) row('OSJitter', jitter);
    }
  }
  return `${rows.join('\n')}\n`;
}
