/** The result model: reading, writing and checking result files. */

export { isJmh, type JmhRecord, readJmh } from './jmh.js';
export type * from './model.js';
export { RESULT_VERSION } from './model.js';
export { isNodeBench, type NodeBenchRecord, readNodeBench } from './node-bench.js';
export { type AnyResult, parseAnyResult, parseResult, readAnyResult, readResult } from './read.js';
export { ResultFileError } from './result-file-error.js';
export { formatResult, writeResult } from './write.js';
