import type { Cause, JitterResult } from '../../jitter/index.js';

/** What `tscope jitter --json` prints: every sampler's result as plain data; times in ns unless the name says otherwise. */
export function jitterJson(results: readonly JitterResult[]): string {
  const samplers = results.map(({ gaps, lostPerSecond, evidence, ...rest }) => ({
    ...rest,
    histogram: rest.histogram.toJSON(),
    lostPerSecondNs: [...lostPerSecond],
    gaps: Array.from(gaps.atNs, (atNs, i) => ({
      atNs,
      wallMs: gaps.wallMs[i],
      lenNs: gaps.lenNs[i],
      evidence: evidence[gaps.evidence[i]!],
    })),
  }));
  return `${JSON.stringify({ samplers }, null, 2)}\n`;
}

const CAUSE_NAMES: Readonly<Record<Cause, string>> = {
  scheduler: 'scheduler (other threads)',
  interrupt: 'interrupts',
  throttling: 'CPU quota of the cgroup',
  steal: 'steal (hypervisor)',
  realTimeThrottle: 'real-time throttle',
  vcpuMoved: 'vCPU moved by the host',
  unexplained: 'unexplained (host, firmware)',
};

/** The report of one sampler for people. */
export function jitterText(result: JitterResult, columns: number): string {
  const { kind, cpu, gapCount, histogram } = result;
  const where = cpu === null ? 'not pinned' : `CPU ${cpu}`;
  const lines = [`Jitter: ${where}, ${kind}${result.fifo ? ', FIFO' : ''}, ${time(result.durationNs)}`];
  const loop =
    kind === 'spin'
      ? `a turn of the loop takes ${time(result.loopNs)}`
      : `the median sleep takes ${time(result.loopNs)} more than asked for; lateness counts from the shortest`;
  lines.push(`  threshold ${time(result.thresholdNs)}; ${loop}`);
  const what = kind === 'spin' ? 'gaps' : 'late wake-ups';
  lines.push(`  lost ${percent(result.share)} (${time(result.lostNs)}) in ${count(gapCount)} ${what}`);
  if (gapCount === 0) return `${lines.join('\n')}\n`;
  const longest = result.gaps.lenNs.indexOf(Math.max(...result.gaps.lenNs));
  const at = new Date(result.gaps.wallMs[longest]!).toISOString();
  lines.push(`  longest ${time(result.gaps.lenNs[longest]!)} at ${at}`);
  const levels = [50, 90, 99, 99.9];
  const of = kind === 'spin' ? 'gap length' : 'lateness';
  const values = histogram.percentiles(levels).map((value, i) => `p${levels[i]} ${time(value)}`);
  lines.push(...wrap(`  ${of}: ${values.join(', ')}, max ${time(histogram.max)}`, columns), '');
  lines.push(...bandTable(result, columns), '', ...causeTable(result));
  const seconds = [...result.lostPerSecond].map((ns, i) => ns / Math.min(1e9, result.durationNs - i * 1e9));
  // Beyond the last whole second there may be a few ns left, of which nothing can be said.
  const whole = seconds.slice(0, Math.max(1, Math.floor(result.durationNs / 1e9)));
  lines.push('', ...wrap(`  lost per second: ${whole.map(percent).join(', ')}`, columns));
  return `${lines.join('\n')}\n`;
}

/** Counts and lost time by length, one row per step of 1-2-5, with a bar for the time. */
export function bands(
  result: JitterResult,
): { readonly from: number; readonly count: number; readonly lostNs: number }[] {
  const rows = new Map<number, { from: number; count: number; lostNs: number }>();
  for (const [lowest, highest, n] of result.histogram.buckets()) {
    const from = stepBelow(lowest);
    const row = rows.get(from) ?? { from, count: 0, lostNs: 0 };
    row.count += n;
    row.lostNs += ((lowest + highest) / 2) * n;
    rows.set(from, row);
  }
  return [...rows.values()];
}

/** Largest of 1, 2, 5 times a power of ten that is not above `value`; 0 below 1. */
function stepBelow(value: number): number {
  if (value < 1) return 0;
  let power = 10 ** Math.floor(Math.log10(value));
  // Logarithms of powers of ten may fall short.
  if (power * 10 <= value) power *= 10;
  return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

function bandTable(result: JitterResult, columns: number): string[] {
  const rows = bands(result);
  const most = Math.max(...rows.map((row) => row.lostNs), 1);
  const head = `  ${'from'.padStart(8)}  ${'count'.padStart(11)}  ${'time'.padStart(9)}  `;
  const room = Math.max(10, Math.min(columns, 120) - head.length);
  return [
    head.trimEnd(),
    ...rows.map(({ from, count: n, lostNs }) => {
      const bar = '#'.repeat(Math.ceil((lostNs / most) * room));
      return `  ${time(from).padStart(8)}  ${count(n).padStart(11)}  ${time(lostNs).padStart(9)}  ${bar}`.trimEnd();
    }),
  ];
}

function causeTable({ causes, durationNs }: JitterResult): string[] {
  const rows = Object.entries(causes)
    .filter(([, { gaps, lostNs }]) => gaps > 0 || lostNs > 0)
    .sort(([, a], [, b]) => b.lostNs - a.lostNs);
  const width = Math.max(...rows.map(([name]) => CAUSE_NAMES[name as Cause].length));
  return [
    `  ${'cause'.padEnd(width)}  ${'count'.padStart(11)}  ${'time'.padStart(9)}  of all time`,
    ...rows.map(([name, { gaps, lostNs }]) => {
      const label = CAUSE_NAMES[name as Cause].padEnd(width);
      const share = percent(lostNs / durationNs);
      return `  ${label}  ${count(gaps).padStart(11)}  ${time(lostNs).padStart(9)}  ${share.padStart(11)}`;
    }),
  ];
}

function wrap(line: string, columns: number): string[] {
  const width = Math.max(40, columns);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    lines.push(rest.slice(0, at));
    rest = `    ${rest.slice(at + 1)}`;
  }
  return [...lines, rest];
}

const count = (value: number) => value.toLocaleString('en-US');
const percent = (share: number) => `${(100 * share).toPrecision(3)} %`;

const UNITS: readonly [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
  [0, 'ns'],
];

/** ns with three significant digits in the unit that fits. */
function time(value: number): string {
  const [size, unit] = UNITS.find(([from]) => value >= from * 0.9995) ?? [0, 'ns'];
  return `${Number((value / (size || 1)).toPrecision(3))} ${unit}`;
}
