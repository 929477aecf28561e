import { allows } from '../ladder.js';
import type { LatencyData } from '../model.js';
import { merged } from '../summary.js';
import { count, us } from './value.js';

const WIDTH = 72;
const HEIGHT = 16;

/**
 * Values against percentiles for a terminal, all runs merged: `*` end to end, `o` service, `@` both. Each nine takes equal room across; the
 * scale upward is logarithmic when the range asks for it. It ends at the last percentile with ten samples beyond.
 */
export function plotText(data: LatencyData): string {
  const runs = data.forks.flatMap((fork) => fork.runs);
  const curves = [merged(runs, 'endToEnd'), merged(runs, 'service')];
  const total = curves[0]!.count;
  if (!allows(50, total)) return `plot: ${count(total)} samples are too few\n`;
  const nines = Math.log10(total / 10);
  const levels = Array.from({ length: WIDTH }, (_, i) => 100 * (1 - 10 ** -((nines * i) / (WIDTH - 1))));
  const values = curves.map((h) => h.percentiles(levels));
  const all = values.flat();
  const [low, high] = [Math.max(1, Math.min(...all)), Math.max(2, ...all)];
  const log = high / low > 20;
  const scale = (value: number) =>
    log ? Math.log(Math.max(1, value) / low) / Math.log(high / low) : (value - low) / Math.max(1, high - low);
  const rows = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(' '));
  for (const [curve, mark] of [
    [1, 'o'],
    [0, '*'],
  ] as const) {
    for (const [x, value] of values[curve]!.entries()) {
      const y = HEIGHT - 1 - Math.min(HEIGHT - 1, Math.max(0, Math.round(scale(value) * (HEIGHT - 1))));
      rows[y]![x] = rows[y]![x] === 'o' ? '@' : mark;
    }
  }
  const valueAt = (y: number) => {
    const share = (HEIGHT - 1 - y) / (HEIGHT - 1);
    return log ? low * (high / low) ** share : low + share * (high - low);
  };
  const lines = rows.map(
    (row, y) => `${(y % 5 === 0 ? us(Math.round(valueAt(y))) : '').padStart(10)} |${row.join('').trimEnd()}`,
  );
  const axis = new Array<string>(WIDTH).fill('-');
  let labels = '';
  for (let n = 0; n <= nines; n++) {
    const x = Math.round((n / nines) * (WIDTH - 1));
    axis[x] = '+';
    const label = n === 0 ? '0' : n === 1 ? '90' : `99${n > 2 ? `.${'9'.repeat(n - 2)}` : ''}`;
    if (x >= labels.length) labels = labels.padEnd(x) + label;
  }
  return [
    `us by percentile, ${count(total)} samples, ${log ? 'logarithmic' : 'linear'}; * end to end, o service, @ both`,
    ...lines,
    `${' '.repeat(11)}+${axis.join('')}`,
    `${' '.repeat(12)}${labels}`,
    '',
  ].join('\n');
}
