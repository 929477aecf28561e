/** Latency at a planned rate: results and what can be made of them. Measurements are declared with `latency()` of the main entry. */
export { csvText } from './format/csv.js';
export { hlogText, percentilesText } from './format/hlog.js';
export { plotText } from './format/plot.js';
export { reportText } from './format/report.js';
export { teamCityText } from './format/teamcity.js';
export { type Measured, type MeasureEvent, type MeasureOptions, measureLatency } from './host/measure.js';
export { allows, LADDER, MIN_BEYOND, neededFor } from './ladder.js';
export type * from './model.js';
export { LATENCY_VERSION } from './model.js';
export { type LatencyResult, type ProbeResult, resultOf } from './result.js';
export {
  cvPercent,
  jlbhVariation,
  type RunSummary,
  type SummaryRow,
  type SummaryTable,
  summaryTable,
} from './summary.js';
export { checkThresholds, parseThreshold, type Threshold, type ThresholdResult } from './threshold.js';
export { findingsOf } from './verdict.js';
