/** The result model: reading, writing and checking result files. */
export type * from './model.js';
export { RESULT_VERSION } from './model.js';
export { parseResult, ResultFileError, readResult } from './read.js';
export { formatResult, writeResult } from './write.js';
