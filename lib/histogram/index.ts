/** Log-linear histograms for latencies, and interchange with HdrHistogram. No dependency is loaded until interchange is used. */
export { decodeHdr, encodeHdr, fromHdr, toHdr } from './hdr.js';
export { type Correction, Histogram, type HistogramBuckets, type HistogramOptions } from './histogram.js';
export { type Hlog, type HlogInterval, type HlogOptions, readHlog, writeHlog } from './hlog.js';
export { IntervalRecorder } from './interval.js';
export { MAX_VALUE } from './layout.js';
export { percentileText } from './percentile-text.js';
export type { PercentileDefinition } from './read.js';
