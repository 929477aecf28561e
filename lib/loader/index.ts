/** Loading user files in TypeScript: stripped, not transpiled, from a cache. */
export { defaultCacheDir, importTs, type LoaderMode, loaderArgs } from './host.js';
export { installLoader, type Loaded, loadedHow } from './loaded.js';
