import type { DeclaredOptions } from '../../protocol/messages.js';
import type { Mode, OptionSource, ResolvedOptions } from '../../result/model.js';
import { defaultsFor, OPTION_NAMES, type TrialOptions } from './table.js';

/** Options from one place. */
export interface Layer {
  readonly source: OptionSource;
  readonly options: DeclaredOptions;
}

/** Lowest first: a later layer wins, attribute by attribute. */
export const LAYER_ORDER: readonly OptionSource[] = [
  'default',
  'suite',
  'benchmark',
  'config',
  'environment',
  'command line',
  'call',
];

const ordered = (layers: readonly Layer[]) =>
  [...layers].sort((a, b) => LAYER_ORDER.indexOf(a.source) - LAYER_ORDER.indexOf(b.source));

/** The modes to measure in: those of the highest layer that names any; `avgt` otherwise. */
export function modesOf(layers: readonly Layer[]): { modes: readonly Mode[]; source: OptionSource } {
  for (const layer of ordered(layers).reverse()) {
    if (layer.options.mode !== undefined) return { modes: layer.options.mode as readonly Mode[], source: layer.source };
  }
  return { modes: ['avgt'], source: 'default' };
}

/**
 * Merges layers for one mode. The merge is per attribute: iterations may come from the command line while their time
 * comes from the suite.
 *
 * @returns The merged values, and each value with the layer that set it, for the record.
 */
export function mergeOptions(
  mode: Mode,
  layers: readonly Layer[],
): { options: TrialOptions; resolved: ResolvedOptions } {
  const options: Record<string, unknown> = { ...defaultsFor(mode) };
  const sources: Record<string, OptionSource> = {};
  for (const { source, options: layer } of ordered(layers)) {
    for (const [name, value] of Object.entries(layer)) {
      if (name === 'mode' || value === undefined) continue;
      options[name] = value;
      sources[name] = source;
    }
  }
  // A warm-up batch that nobody named follows the measured one, as in JMH's sample 26.
  if (sources.warmupBatchSize === undefined && sources.batchSize !== undefined) {
    options.warmupBatchSize = options.batchSize;
    sources.warmupBatchSize = sources.batchSize;
  }
  sources.mode = modesOf(layers).source;
  const resolved: Record<string, ResolvedOptions[string]> = {};
  for (const name of OPTION_NAMES) {
    const value = options[name];
    resolved[name] = {
      value: (Array.isArray(value) ? value.join(' ') : value) as ResolvedOptions[string]['value'],
      source: sources[name] ?? 'default',
    };
  }
  return { options: options as TrialOptions, resolved };
}
