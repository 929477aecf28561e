import type { Histogram } from './histogram.js';
import { lengthFor } from './layout.js';

/** Rounds the shortest decimal form half up, as HdrHistogram's own printers do; toFixed rounds the binary value. */
function formatter(digits: number): (value: number, width: number) => string {
  const format = new Intl.NumberFormat('en-US', {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
    useGrouping: false,
  });
  return (value, width) => format.format(value).padStart(width);
}

/**
 * Percentile distribution in HdrHistogram's text form (what its plotters read): value, percentile as a fraction,
 * samples at or below, 1/(1-percentile). The step halves each time half of the remaining distance to 100 % is covered.
 *
 * @param ticks Lines per halving. Default 5.
 * @param scale Values are divided by it: 1000 prints us for ns. Default 1.
 * @throws RangeError for ticks or scale that are not positive.
 */
export function percentileText(h: Histogram, ticks = 5, scale = 1): string {
  if (!Number.isInteger(ticks) || ticks < 1) throw new RangeError(`histogram: ticks must be at least 1, not ${ticks}`);
  if (!(scale > 0) || !Number.isFinite(scale)) throw new RangeError(`histogram: scale must be above 0, not ${scale}`);
  const { digits, bits } = h.layout;
  const lines = ['       Value     Percentile TotalCount 1/(1-Percentile)', ''];
  const [atDigits, atTwelve, atTwo] = [formatter(digits), formatter(12), formatter(2)];
  const line = (value: number, level: number, below: number) => {
    const text = `${atDigits(value / scale, 12)} ${atTwelve(level / 100, 2)} ${String(below).padStart(10)}`;
    lines.push(level < 100 ? `${text} ${atTwo(1 / (1 - level / 100), 14)}` : text);
  };
  let below = 0;
  let level = 0;
  for (const [, highest, count] of h.buckets()) {
    below += count;
    const last = below === h.count;
    // One line per level reached inside a bucket; the bucket with the last sample has one, and then 100 %.
    while ((100 * below) / h.count >= level) {
      line(highest, level, below);
      level += 100 / (ticks * 2 ** (Math.floor(Math.log2(100 / (100 - level))) + 1));
      if (last) break;
    }
    if (last) line(highest, 100, below);
  }
  const number = (value: number) => atDigits((Number.isNaN(value) ? 0 : value) / scale, 12);
  const whole = (value: number) => String(value).padStart(12);
  const octaves = lengthFor(h.layout, h.count === 0 ? 1 : h.max) / 2 ** (bits - 1) - 1;
  lines.push(
    `#[Mean    = ${number(h.mean)}, StdDeviation   = ${number(h.stdDeviation)}]`,
    `#[Max     = ${number(h.max)}, Total count    = ${whole(h.count)}]`,
    `#[Buckets = ${whole(Math.max(1, octaves))}, SubBuckets     = ${whole(2 ** bits)}]`,
    '',
  );
  return lines.join('\n');
}
