/** The native histogram recorder and its JavaScript view. */
export type { Recorder } from './recorder.js';
export { openRecorder, toHistogram } from './recorder.js';
