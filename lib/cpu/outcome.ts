/** Refusals as values live with the loader, so that every native concern has the same. */
export * from '../native/outcome.js';
