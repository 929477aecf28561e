/** tscope: benchmarks that can be believed. */
export { type Config, defineConfig } from './suite/config.js';
export type * from './suite/latency.js';
export { latency } from './suite/latency.js';
export { suite } from './suite/suite.js';
export type * from './suite/types.js';
