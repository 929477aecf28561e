/** The formats of results, one file each. */
import { bmf } from './bmf.js';
import { csv, scsv } from './csv.js';
import { github } from './github.js';
import { githubAction, githubActionBigger } from './github-action.js';
import { gobench } from './gobench.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { latex } from './latex.js';
import { md } from './md.js';
import type { Reporter } from './reporter.js';
import { teamcity } from './teamcity.js';
import { text } from './text.js';
import { tscope } from './tscope.js';

export type { Reporter } from './reporter.js';

/** Every format, JMH's first. */
export const REPORTERS: readonly Reporter[] = [
  text,
  csv,
  scsv,
  json,
  latex,
  md,
  gobench,
  bmf,
  githubAction,
  githubActionBigger,
  junit,
  github,
  teamcity,
  tscope,
];

/** The reporter of a format, whatever the case of its name. */
export const reporterOf = (id: string): Reporter | undefined =>
  REPORTERS.find((reporter) => reporter.id === id.toLowerCase());
