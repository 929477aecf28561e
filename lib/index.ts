/** tscope: benchmarks that can be believed. */
export { type ExpectFasterSettings, expectFaster, type Subject } from './api/expect-faster.js';
export type { Expectation } from './api/expectation.js';
export { run } from './api/run.js';
export type { Run, RunEvent, RunInput, RunSettings, TrialName } from './api/types.js';
export type * from './result/model.js';
export { UsageError } from './runner/usage-error.js';
export { type Config, defineConfig } from './suite/config.js';
export type * from './suite/latency.js';
export { latency } from './suite/latency.js';
export { suite } from './suite/suite.js';
export type * from './suite/types.js';
