/** What was measured before: results kept below `.tscope`, an index of them, series and named baselines. */
export {
  type CalibrationKey,
  calibrationKey,
  type KeptCalibration,
  readCalibration,
  saveCalibration,
} from './calibrations.js';
export { entriesOf, INDEX_VERSION, type IndexEntry } from './entry.js';
export {
  appendIndex,
  type IndexContent,
  indexFile,
  parseIndex,
  type Rebuilt,
  readIndex,
  rebuildIndex,
  runIds,
} from './index-file.js';
export { type Change, type History, judgeSeries, type Latest, type Point, type Series, seriesOf } from './series.js';
export {
  type BaselineOutcome,
  isBaselineName,
  keepFolder,
  keepResult,
  latestRun,
  readBaseline,
  saveBaseline,
} from './store.js';
