import { type Assessment, assess, Clock, type ClockRefusal, PROBES, probe } from '../../clock/index.js';
import { capabilities } from '../../native/index.js';
import { UsageError } from '../../runner/usage-error.js';
import { EXIT } from '../io.js';

export interface ClockFlags {
  /** Length of the linearity test and of the fit, ms (default 200). */
  readonly ms?: number;
  /** Compare the counters of all allowed CPUs (default true). */
  readonly crossCore?: boolean;
  /** Try unadvertised instructions in child processes (default false). */
  readonly probe?: boolean;
  readonly json?: boolean;
}

/** Everything that is known about this machine's clock, as data. */
export function clockReport(flags: ClockFlags) {
  const clock = new Clock({ calibrateMs: flags.ms ?? 200 });
  const start = clock.anchor();
  const assessment = assess({ ms: flags.ms ?? 200, crossCore: flags.crossCore ?? true });
  const probes = flags.probe ? probe(PROBES) : null;
  return {
    clock: clock.info,
    path: clock.hot.path,
    assessment,
    probes,
    drift: clock.check(start),
    capabilities: capabilities().filter(({ name }) => name === 'addon' || name.startsWith('clock')),
  };
}

export type ClockReport = ReturnType<typeof clockReport>;

/**
 * `tscope clock`: which clock this machine gives, what it costs and whether it can be trusted.
 *
 * @returns 0, or 1 when the counter failed its tests (time then comes from the kernel clock).
 * @throws UsageError when `ms` is out of range.
 */
export async function clockCommand(flags: ClockFlags, io: { out(text: string): void }): Promise<number> {
  const { ms = 200 } = flags;
  if (!(ms >= 1 && ms <= 60_000)) throw new UsageError(`--ms: ${ms} is not from 1 to 60000 ms.`);
  const report = clockReport(flags);
  io.out(flags.json ? `${JSON.stringify(report, null, 2)}\n` : `${clockLines(report).join('\n')}\n`);
  return report.assessment.invariant === false ? EXIT.failed : EXIT.ok;
}

const ns = (value: number) => `${value.toFixed(1)} ns`;
const ppm = (value: number) => `${value < 0.01 ? value.toPrecision(1) : value.toFixed(2)} ppm`;
const refusal = ({ message, hint }: ClockRefusal) => `${message}. ${hint}`;

/** The report for people. */
export function clockLines({ clock, path, assessment, probes, drift }: ClockReport): string[] {
  const lines: [string, string][] = [
    ['Source', clock.reason ? `${clock.source}: ${clock.reason}` : clock.source],
    ['Path', [path.path, ...path.refused.map((other) => `not ${other.path}: ${other.reason}`)].join('; ')],
    [
      'Frequency',
      `${(clock.hz / 1e6).toFixed(6)} MHz${clock.hzPpm === null ? ' (by definition)' : ` ± ${ppm(clock.hzPpm)}`}`,
    ],
    ['Granularity', ns(clock.granularityNs)],
    ['Read', `${ns(clock.readNs)} from JavaScript`],
    ['Floor', `${ns(clock.floorNs)}, the smallest difference of two reads`],
    ...assessmentLines(assessment, 1e9 / clock.hz),
  ];
  if (drift.driftNs !== null) {
    const verdict = drift.discontinuity ? ', a discontinuity' : '';
    lines.push([
      'Drift',
      `${ns(drift.driftNs)} against the kernel clock in ${(drift.elapsedNs / 1e6).toFixed(0)} ms${verdict}`,
    ]);
  }
  if (probes) {
    const text = probes.ok
      ? Object.entries(probes.results).map(([name, result]) => `${name} ${result}`)
      : [refusal(probes)];
    lines.push(['Probes', text.join(', ')]);
  }
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  return lines.map(([name, text]) => `${name.padEnd(width)}${text}`);
}

function assessmentLines(assessment: Assessment, nsPerTick: number): [string, string][] {
  const { invariant, against, monotone, linear, crossCore, flags } = assessment;
  const verdict = invariant === null ? 'not assessed' : invariant ? 'yes' : 'no';
  const lines: [string, string][] = [['Invariant', [verdict, ...against].join(': ')]];
  if (monotone) lines.push(['  monotone', `${monotone.backward} steps back in ${monotone.readings} readings`]);
  if (linear.ok) {
    lines.push([
      '  linear',
      `residual ${ns(linear.residualNs)} (worst ${ns(linear.maxResidualNs)}) against ${linear.clock} over ${linear.ms} ms; predicted ${ppm(linear.sePpm)}, repeated ${ppm(linear.sdPpm)}`,
    ]);
  }
  if (crossCore && !crossCore.ok) lines.push(['  cross-core', refusal(crossCore)]);
  if (crossCore?.ok) {
    lines.push(['  cross-core', `${crossCore.agree ? 'agree' : 'disagree'}; CPUs ${crossCore.cpus.join(', ')}`]);
    for (const pair of crossCore.pairs) {
      const offset = `${ns(pair.offsetTicks * nsPerTick)} (at most ±${ns(pair.boundTicks * nsPerTick)})`;
      lines.push([
        `  ${pair.first}-${pair.second}`,
        `${offset}, ${pair.violations} impossible stamps in ${pair.exchanges}`,
      ]);
    }
  }
  if (flags) {
    const names = ['invariant', 'rdtscp', 'rdpid', 'rdpru', 'lfenceSerializing', 'hypervisor'] as const;
    const set = names.filter((name) => flags[name]);
    const nominal = flags.nominalHz ? `; nominal ${(flags.nominalHz / 1e6).toFixed(3)} MHz (${flags.nominalFrom})` : '';
    lines.push(['Flags', `${flags.vendor || flags.architecture}: ${set.join(', ') || 'none'}${nominal}`]);
  }
  return lines;
}
