import type { LatencyData } from '../model.js';
import { resultOf } from '../result.js';
import type { RunSummary } from '../summary.js';
import { titleOf } from '../title.js';

/** Beyond ASCII by code unit, so that no console's encoding can harm it. */
const escaped = (text: string) =>
  text.replace(/[^ -~]|['|[\]]/g, (c) =>
    c >= ' ' && c <= '~' ? `|${c}` : `|0x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

/**
 * TeamCity service messages of the last run: one `buildStatisticValue` per percentile the count allows, in us, with JLBH's keys
 * `<prefix>.<end-to-end or probe>.<fraction><suffix>`. The prefix is the measurement's name with its params: a key names one number.
 */
export function teamCityText(data: LatencyData, prefix = titleOf(data), suffix = ''): string {
  const result = resultOf(data);
  if (data.forks.every((fork) => fork.runs.length === 0)) return '';
  const lines: string[] = [];
  const add = (name: string, s: RunSummary) => {
    const rows = [
      ['0.5', s.p50],
      ['0.9', s.p90],
      ['0.99', s.p99],
      ['0.999', s.p999],
      ['0.9999', s.p9999],
      ['worst', s.worst],
    ] as const; // prettier-ignore
    for (const [fraction, ns] of rows) {
      if (ns === null) continue;
      const key = escaped(`${prefix}.${name}.${fraction}${suffix}`);
      lines.push(`##teamcity[buildStatisticValue key='${key}' value='${ns / 1000}']`);
    }
  };
  add('end-to-end', result.endToEnd().summaryOfLastRun());
  for (const probe of result.probeNames()) add(probe, result.probe(probe)!.summaryOfLastRun());
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
