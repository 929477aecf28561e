/** tscope/jitter: what the machine takes from a running thread, when, and why as far as can be told. */
export type { Outcome, Refusal } from '../cpu/outcome.js';
export type { SamplerOptions } from './options.js';
export type { Cause, Evidence, JitterResult, Lost } from './result.js';
export { CAUSES } from './result.js';
export type { Sampler } from './sampler.js';
export { start } from './sampler.js';
