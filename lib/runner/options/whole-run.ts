/** Whole-run options of all layers, merged per attribute like the others: config file < environment < command line or call. */
import type { OptionSource, ResolvedOptions } from '../../result/model.js';
import { DURATION_HINT } from '../../suite/duration.js';
import { readWholeRun, WHOLE_RUN_NAMES, type WholeRun } from '../../suite/whole-run.js';
import { variableOf } from './environment.js';
import { LAYER_ORDER } from './merge.js';

/** Whole-run options from one place. */
export interface WholeRunLayer {
  readonly source: OptionSource;
  readonly options: WholeRun;
}

/** What holds for the run, and which layer said so. */
export interface MergedWholeRun {
  readonly options: WholeRun;
  readonly sources: Readonly<Partial<Record<keyof WholeRun, OptionSource>>>;
}

/** Merges layers, in any order. A list of a higher layer replaces that of a lower one. */
export function mergeWholeRun(layers: readonly WholeRunLayer[]): MergedWholeRun {
  const options: Record<string, unknown> = {};
  const sources: Partial<Record<keyof WholeRun, OptionSource>> = {};
  const ordered = [...layers].sort((a, b) => LAYER_ORDER.indexOf(a.source) - LAYER_ORDER.indexOf(b.source));
  for (const layer of ordered) {
    for (const [name, value] of Object.entries(layer.options)) {
      if (value === undefined) continue;
      options[name] = value;
      sources[name as keyof WholeRun] = layer.source;
    }
  }
  return { options, sources };
}

/** What only a run with a precision follows. */
const ADAPTIVE: ReadonlySet<string> = new Set(['precisionRule', 'maxForks'] satisfies (keyof WholeRun)[]);

/** What is set and followed, as results record options. */
export function recordedWholeRun({ options, sources }: MergedWholeRun, adaptive: boolean): ResolvedOptions {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => adaptive || !ADAPTIVE.has(name))
      .map(([name, value]) => [
        name,
        { value: Array.isArray(value) ? value.join(' ') : value, source: sources[name as keyof WholeRun]! },
      ]),
  );
}

/**
 * Whole-run options set by environment variables (`TSCOPE_BUDGET=60s`, `TSCOPE_KEEP_ENV=CI,TZ`).
 *
 * @returns The options, or a sentence naming the variable that is wrong.
 */
export function environmentWholeRun(
  env: Readonly<Record<string, string | undefined>>,
): { readonly options: WholeRun } | { readonly problem: string } {
  const source: Record<string, unknown> = {};
  for (const name of WHOLE_RUN_NAMES) {
    const text = env[variableOf(name)];
    if (text === undefined || text === '') continue;
    // A number alone is ms in code and s on the command line.
    if (name === 'budget' && Number.isFinite(Number(text))) {
      return { problem: `environment variable ${variableOf(name)}: ${text} has no unit; ${DURATION_HINT}.` };
    }
    source[name] =
      name === 'keepEnv' ? text.split(',') : name === 'maxForks' && /^\d+$/.test(text) ? Number(text) : text;
  }
  const read = readWholeRun(source);
  return 'problem' in read
    ? { problem: `environment variable ${variableOf(read.field)}: ${read.problem}` }
    : { options: read.options };
}
