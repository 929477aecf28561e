import { count } from '../../analysis/words.js';
import type { FailedEvent, Survey, SurveyedCycles } from '../../counters/index.js';
import { wrapped } from '../../report/look.js';

/** The report of `tscope counters` for people. */
export function countersText(survey: Survey, columns: number): string {
  const { available, missing, group, cycles, skipped, kernel } = survey;
  const rows: [string, string][] = [];
  const of = `${available.length} of ${available.length + missing.length} events`;
  rows.push(['Counted', `${of}, ${kernel ? 'user code and kernel' : 'user code only'}; an empty section counts`]);
  for (const { name, overhead, inKernel } of available) {
    const count = overhead === null ? 'unknown: it was never on the PMU' : countOf(name, overhead);
    rows.push([`  ${name}`, inKernel && !kernel ? `${count} (always with the kernel)` : count]);
  }
  for (const { names, code, hint } of byReason(missing)) {
    rows.push(['Missing', `${names.join(', ')}`], [`  ${code}`, hint]);
  }
  if (group) {
    const us = (group.sectionNs / 1000).toPrecision(3);
    rows.push(['Section', `${us} us, begin and end of ${count(group.names.length, 'event')} in one group`]);
    for (const { names, code, hint } of byReason(group.failed)) {
      rows.push(['  no room', `${names.join(', ')}: ${code}. ${hint}`]);
    }
  }
  if (cycles.length === 0) rows.push(['Cycles', 'no source']);
  for (const [i, one] of cycles.entries()) rows.push([i === 0 ? 'Cycles' : '  also', cyclesOf(one, cycles[0]!)]);
  for (const { source, reason } of skipped) {
    rows.push([`  not ${source}`, reason.replace('probe: true would', '--probe would')]);
  }
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.flatMap(([name, text]) =>
    wrapped(text, Math.max(40, columns - width)).map((line, i) => `${(i === 0 ? name : '').padEnd(width)}${line}`),
  );
  return `${lines.join('\n')}\n`;
}

/** The two clocks count ns, all others count events. */
const countOf = (name: string, value: number) =>
  name.endsWith('-clock') ? `${value.toFixed(0)} ns` : `${Math.round(value)}`;

function cyclesOf({ source, sections, valid, ghz, spread, ratio }: SurveyedCycles, first: SurveyedCycles): string {
  const trusted = `${valid} of ${sections} sections valid`;
  if (ghz === null || spread === null) return `${source}; ${trusted}: run again when the machine is quiet`;
  const itself = valid > 1 ? `, within ${(100 * spread).toPrecision(2)} % of each other` : '';
  const other = source === first.source || ratio === null ? '' : `; ${ratio.toFixed(4)} of ${first.source}`;
  return `${source}, ${ghz.toFixed(3)} GHz; ${trusted}${itself}${other}`;
}

/** Events that are missing for one reason, together, in the order of their first. */
function byReason(failed: readonly FailedEvent[]): { names: string[]; code: string; hint: string }[] {
  const groups = new Map<string, { names: string[]; code: string; hint: string }>();
  for (const { name, code, hint } of failed) {
    const key = `${code} ${hint}`;
    const group = groups.get(key) ?? { names: [], code, hint };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
