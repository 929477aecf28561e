/** Hardware and software counters per section, and cycles with their source (`tscope/counters`). */

export type { Outcome, Refusal } from '../native/outcome.js';
export { type CycleOptions, type CycleReading, type CycleSource, Cycles, measureGhz, openCycles } from './cycles.js';
export { Counters, type EventInfo, events, type FailedEvent, MAX_EVENTS, type OpenOptions, open } from './open.js';
export { perOp, type Section } from './section.js';
export { type AvailableEvent, type Survey, type SurveyedCycles, type SurveyOptions, survey } from './survey.js';
