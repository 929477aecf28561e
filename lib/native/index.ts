export type { Capability } from './capabilities.js';
export { capabilities } from './capabilities.js';
export type { LoadedAddon } from './load.js';
export { loadAddon } from './load.js';
export type { AddonSurface } from './surface.js';
