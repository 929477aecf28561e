/** tscope/clock: the cheapest precise clock this process has, and how far it can be trusted. */
export type { ClockInfo } from '../result/model.js';
export type { Anchor, AnchorCheck } from './anchor.js';
export { checkAnchor, takeAnchor } from './anchor.js';
export type { HotClock, HotClockOptions } from './hot.js';
export { hotClock } from './hot.js';
