/** The report in JLBH's shape: one block per run, then a table per histogram across runs. Formats only; every number comes from the data. */
import { levelName } from '../ladder.js';
import type { LatencyData, LatencyFork, LatencyRun } from '../model.js';
import { mergedJitter } from '../result.js';
import { type RunSummary, type SummaryTable, summaryOf, summaryTable } from '../summary.js';
import { titleOf } from '../title.js';
import { count, number, ruled, seconds, us } from './value.js';

const LABEL = 48;
const CELL = 12;

function line(label: string, s: RunSummary): string {
  const head = `${label} (${count(s.count)})`.padEnd(LABEL);
  const [a, b, c, d, e, w] = [s.p50, s.p90, s.p99, s.p999, s.p9999, s.worst].map(us);
  return `${head}50/90 99/99.9 99.99 - worst was ${a} / ${b}  ${c} / ${d}  ${e} - ${w}`;
}

function rateLine(run: LatencyRun, ratePerSec: number): string {
  const share = ratePerSec > 0 ? ` (${((100 * run.achievedPerSec) / ratePerSec).toFixed(2)} %)` : '';
  return `Planned rate: ${number(ratePerSec)}/s = 1 event every ${number(1e6 / ratePerSec)} us; achieved ${number(run.achievedPerSec)}/s${share}`;
}

function beside(run: LatencyRun): string[] {
  const lines: string[] = [];
  const gc = run.intervals.reduce((sum, i) => ({ count: sum.count + i.gc.count, ns: sum.ns + i.gc.ns }), {
    count: 0,
    ns: 0,
  });
  const sum = (values: (number | null)[]) => values.filter((v) => v !== null).reduce((a, b) => a + b, 0);
  const known = (values: (number | null)[]) => values.some((v) => v !== null);
  const switches = run.intervals.map((i) => i.involuntarySwitches);
  const loop = run.intervals.map((i) => i.loopDelayMaxNs);
  const parts = [`GC pauses ${gc.count} (${(gc.ns / 1e6).toFixed(1)} ms)`];
  if (known(switches)) parts.push(`involuntary switches ${sum(switches)}`);
  if (known(loop)) parts.push(`largest event-loop delay ${(Math.max(...loop.map((v) => v ?? 0)) / 1e6).toFixed(1)} ms`);
  lines.push(`Meanwhile: ${parts.join(', ')}`);
  const told = new Set<string>();
  for (const w of run.worst) {
    const causes = w.causes.join(', ');
    // A stall delays many events; its first line says it all.
    if (causes === '' || told.has(causes) || told.size === 5) continue;
    told.add(causes);
    lines.push(`Event ${w.seq} at ${seconds(w.plannedNs)}: ${us(w.responseNs)} us, together with ${causes}`);
  }
  return lines;
}

/** The block of one run. */
export function runText(data: LatencyData, fork: LatencyFork, run: LatencyRun): string[] {
  const { config } = data;
  const which = data.forks.length > 1 ? `FORK ${fork.index + 1} RUN ${run.run}` : `RUN ${run.run}`;
  const lines = [
    ruled(`BENCHMARK RESULTS (${which}) us`),
    `Run time: ${seconds(run.elapsedNs)}, arrivals: ${config.arrivals.kind}, driver: ${fork.driver?.kind ?? '-'}, late events: ${config.late}`,
    config.coordinatedOmission
      ? 'Coordinated omission: accounted for; end to end is measured from the planned start'
      : 'Coordinated omission: NOT accounted for; end to end is measured from the actual start',
    rateLine(run, config.ratePerSec),
    line('End to end', summaryOf(run.response)),
    line('Service', summaryOf(run.service)),
    line('Own lateness', summaryOf(run.lateness)),
    line('  of it the driver', summaryOf(run.driverDelay)),
    ...config.probes.map((name) => line(name, summaryOf(run.probes[name]!))),
  ];
  const jitter = mergedJitter(run.jitter);
  if (jitter) lines.push(line('OS jitter', jitter));
  if (!run.complete) lines.push(`Stopped after ${count(run.issued)} of ${count(run.plannedEvents)} events`);
  lines.push(...beside(run));
  for (const finding of run.findings) lines.push(`${finding.severity}: ${finding.message} [${finding.id}]`);
  lines.push('-'.repeat(100));
  return lines;
}

/** One table across runs. */
export function tableText(title: string, table: SummaryTable): string[] {
  const forks = table.rows.some((row) => row.forks !== null);
  const heads = [
    ...table.runs.map((run) => `run${run}`),
    'range',
    'CV %',
    'JLBH var %',
    ...(forks ? ['fork mean', '+-'] : []),
  ];
  const cells = (values: readonly string[]) => values.map((value) => value.padStart(CELL)).join('');
  const lines = [ruled(`SUMMARY (${title}) us`), `${'Percentile'.padEnd(12)}${cells(heads.map((head) => head))}`];
  for (const row of table.rows) {
    const percent = (value: number | null) => (value === null ? '-' : value.toFixed(2));
    const interval = row.forks ? [us(row.forks.mean), us(row.forks.halfWidth)] : ['-', '-'];
    lines.push(
      `${`${row.level === 'worst' ? 'worst' : levelName(row.level)}:`.padEnd(12)}${cells([
        ...row.values.map(us),
        us(row.range),
        percent(row.cv),
        percent(row.jlbh),
        ...(forks ? interval : []),
      ])}`,
    );
  }
  if (table.rows.length === 0) lines.push('no samples');
  return lines;
}

const nameOf = (table: string) => (table === 'endToEnd' ? 'end to end' : table);

/** The whole report of one measurement. */
export function reportText(data: LatencyData): string {
  const lines = [titleOf(data)];
  for (const fork of data.forks) {
    if (fork.warmup) {
      const { events, ns, end } = fork.warmup;
      lines.push(`Warm-up complete (${count(events)} events took ${seconds(ns)}, ended: ${end})`);
    }
    if (fork.clock?.backend === 'hrtime') lines.push(`Clock: process.hrtime (${fork.clock.reason ?? 'no addon'})`);
    if (fork.driver?.fallback) lines.push(`Driver ${fork.driver.kind}: ${fork.driver.fallback}`);
    for (const finding of fork.findings) lines.push(`${finding.severity}: ${finding.message} [${finding.id}]`);
    if (fork.floor) {
      const { floor } = fork;
      lines.push(
        `Jitter floor of CPU ${floor.cpu ?? '?'}: ${count(floor.gaps.total)} gaps above ${us(floor.thresholdNs)} us in ${seconds(floor.elapsedNs)}, ${((100 * floor.lostNs) / floor.elapsedNs).toFixed(3)} % lost, worst ${us(floor.gaps.max)} us`,
      );
    }
    for (const run of fork.runs) lines.push(...runText(data, fork, run));
    if (fork.failure)
      lines.push(`error: fork ${fork.index + 1} failed in ${fork.failure.phase}: ${fork.failure.message}`);
  }
  if (data.forks.some((fork) => fork.runs.length > 0)) {
    for (const table of ['endToEnd', ...data.config.probes])
      lines.push(...tableText(nameOf(table), summaryTable(data, table)));
    lines.push('-'.repeat(100));
  }
  return `${lines.join('\n')}\n`;
}
