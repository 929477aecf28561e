/** `.hlog` files: interval histograms as text, format version 1.3 of HdrHistogram's log. */
import { decodeHdr, encodeHdr } from './hdr.js';
import type { Histogram } from './histogram.js';

/** One interval of a log: tag, start and length in seconds, histogram. */
export interface HlogInterval {
  /** Start of the interval in seconds, since the base time of the file when it has one. */
  readonly startSec: number;
  /** Length in seconds. */
  readonly lengthSec: number;
  /** null = no tag. */
  readonly tag: string | null;
  readonly histogram: Histogram;
}

/** Header of a log that is written. */
export interface HlogOptions {
  /** Start of the log, ms since the epoch. */
  readonly startTimeMs: number;
  /** Written first, one comment line each. */
  readonly comments?: readonly string[];
  /** The max column is divided by it, for people to read. Default 1,000,000: ns become ms. */
  readonly maxRatio?: number;
}

/** A HdrHistogram log: its header and its intervals. */
export interface Hlog {
  /** Seconds since the epoch, from the file's head; null when absent. */
  readonly startTimeSec: number | null;
  readonly baseTimeSec: number | null;
  readonly intervals: readonly HlogInterval[];
}

const LEGEND = '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"';

function checkTag(tag: string): string {
  if (tag === '' || /[,\s]/.test(tag)) {
    throw new TypeError(`hlog: the tag ${JSON.stringify(tag)} must not be empty or contain a comma or white space`);
  }
  return tag;
}

/**
 * A whole `.hlog` file. Times of intervals are seconds since `startTimeMs`, which is written as both start and base time.
 * @throws TypeError for a tag with a comma or white space: readers would split the line there.
 */
export function writeHlog(intervals: Iterable<HlogInterval>, options: HlogOptions): string {
  const { startTimeMs, comments = [], maxRatio = 1_000_000 } = options;
  const start = (startTimeMs / 1000).toFixed(3);
  const lines = [
    ...comments.flatMap((text) => text.split(/\r?\n/)).map((text) => `#${text}`),
    '#[Histogram log format version 1.3]',
    `#[BaseTime: ${start} (seconds since epoch)]`,
    `#[StartTime: ${start} (seconds since epoch), ${new Date(startTimeMs).toISOString()}]`,
    LEGEND,
  ];
  for (const { startSec, lengthSec, tag, histogram } of intervals) {
    const max = ((histogram.count === 0 ? 0 : histogram.max) / maxRatio).toFixed(3);
    const prefix = tag === null ? '' : `Tag=${checkTag(tag)},`;
    lines.push(`${prefix}${startSec.toFixed(3)},${lengthSec.toFixed(3)},${max},${encodeHdr(histogram)}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Reads a `.hlog` file of any HdrHistogram writer.
 * @throws TypeError that names the line when one is not a comment, the legend or an interval.
 */
export function readHlog(text: string): Hlog {
  const intervals: HlogInterval[] = [];
  let startTimeSec: number | null = null;
  let baseTimeSec: number | null = null;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const fail = (why: string): never => {
      throw new TypeError(`hlog: line ${index + 1}: ${why}`);
    };
    if (line.trim() === '' || /^"?(Start)?Timestamp/.test(line)) continue;
    if (line.startsWith('#')) {
      const time = /^#\[(StartTime|BaseTime): ([0-9.]+)/.exec(line);
      if (time?.[1] === 'StartTime') startTimeSec = Number(time[2]);
      else if (time) baseTimeSec = Number(time[2]);
      continue;
    }
    const fields = line.split(',');
    const tag = fields[0]!.startsWith('Tag=') ? fields.shift()!.slice(4) : null;
    const [startSec, lengthSec] = [Number(fields[0] || Number.NaN), Number(fields[1] || Number.NaN)];
    if (fields.length !== 4 || !Number.isFinite(startSec) || !Number.isFinite(lengthSec)) {
      fail('expected [Tag=name,]start,length,max,histogram');
    }
    try {
      intervals.push({ startSec, lengthSec, tag, histogram: decodeHdr(fields[3]!) });
    } catch (error) {
      fail((error as Error).message);
    }
  }
  return { startTimeSec, baseTimeSec, intervals };
}
