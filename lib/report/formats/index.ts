/** The formats of results, one file each. */
import { csv, scsv } from './csv.js';
import { json } from './json.js';
import type { Reporter } from './reporter.js';
import { text } from './text.js';
import { tscope } from './tscope.js';

export type { Reporter } from './reporter.js';

/** Every format, JMH's first. */
export const REPORTERS: readonly Reporter[] = [text, csv, scsv, json, tscope];

/** The reporter of a format, whatever the case of its name. */
export const reporterOf = (id: string): Reporter | undefined =>
  REPORTERS.find((reporter) => reporter.id === id.toLowerCase());
