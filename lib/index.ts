/** tscope: benchmarks that can be believed. */
export { suite } from './suite/suite.js';
export type * from './suite/types.js';
