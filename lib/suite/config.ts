import type { RunOptions, WholeRunOptions } from './types.js';

/** What `tscope.config.{ts,mts,js,mjs,json}` may hold: every run option, and what concerns a whole run. */
export interface Config extends RunOptions, WholeRunOptions {
  /** Files, folders or globs to run when the command line names none. */
  readonly files?: readonly string[];
  /** Ids of findings to silence. */
  readonly allow?: readonly string[];
  /** Seed of the fork order; default random, always recorded. */
  readonly seed?: number;
  /** Node executable of the forks; default the one that runs tscope. */
  readonly node?: string;
}

/** Types a config file: `export default defineConfig({ forks: 5 })`. Returns its argument. */
export function defineConfig(config: Config): Config {
  return config;
}
