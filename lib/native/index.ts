export type { Capability } from './capabilities.js';
export { capabilities } from './capabilities.js';
export type { LoadedAddon } from './load.js';
export { loadAddon } from './load.js';
export type { Hints, Outcome, Refusal } from './outcome.js';
export { refused, unsupported, withoutAddon } from './outcome.js';
export type { AddonSurface } from './surface.js';
