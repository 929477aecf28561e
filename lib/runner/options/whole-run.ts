/** Whole-run options of all layers: config file < environment < command line or call. */
import type { OptionSource, ResolvedOptions } from '../../result/model.js';
import type { WholeRun } from '../../suite/whole-run.js';

/** What holds for the run, and which layer said so. */
export interface MergedWholeRun {
  readonly options: WholeRun;
  readonly sources: Readonly<Partial<Record<keyof WholeRun, OptionSource>>>;
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
