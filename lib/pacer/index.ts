/**
 * tscope/pacer: native threads that keep time for JavaScript: a pacer that releases planned start times, a deadline timer. And the native
 * histogram in which such threads record, for batches of JavaScript's own values.
 */
export type { Outcome, Refusal } from '../cpu/outcome.js';
export { openRecorder, type Recorder } from '../recorder/index.js';
export type { Deadline, DeadlineOptions } from './deadline.js';
export { openDeadline } from './deadline.js';
export type { Pacer, PacerOptions, PacerResult } from './pacer.js';
export { start } from './pacer.js';
export type { RingState } from './ring.js';
export { ENTRY, Ring } from './ring.js';
