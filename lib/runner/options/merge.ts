import type { DeclaredOptions } from '../../protocol/messages.js';
import type { Mode, OptionSource, ResolvedOptions } from '../../result/model.js';
import { defaultsFor, OPTION_NAMES, type TrialOptions } from './table.js';

/** Options from one place. */
export interface Layer<Options = DeclaredOptions> {
  readonly source: OptionSource;
  readonly options: Options;
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

const ordered = <Options>(layers: readonly Layer<Options>[]) =>
  [...layers].sort((a, b) => LAYER_ORDER.indexOf(a.source) - LAYER_ORDER.indexOf(b.source));

/**
 * Merges layers, in any order, attribute by attribute: iterations may come from the command line while their time comes from the suite. A
 * list of a higher layer replaces that of a lower one.
 */
export function mergeLayers<Options extends object>(
  layers: readonly Layer<Options>[],
): {
  readonly options: Options;
  /** Which layer set each attribute. */
  readonly sources: Readonly<Partial<Record<keyof Options, OptionSource>>>;
} {
  const options: Partial<Options> = {};
  const sources: Partial<Record<keyof Options, OptionSource>> = {};
  for (const layer of ordered(layers)) {
    for (const [name, value] of Object.entries(layer.options)) {
      if (value === undefined) continue;
      options[name as keyof Options] = value;
      sources[name as keyof Options] = layer.source;
    }
  }
  return { options: options as Options, sources };
}

/** The modes to measure in: those of the highest layer that names any; `avgt` otherwise. */
export function modesOf(layers: readonly Layer[]): { modes: readonly Mode[]; source: OptionSource } {
  for (const layer of ordered(layers).reverse()) {
    if (layer.options.mode !== undefined) return { modes: layer.options.mode as readonly Mode[], source: layer.source };
  }
  return { modes: ['avgt'], source: 'default' };
}

/**
 * Merges layers for one mode, over its defaults.
 *
 * @returns The merged values, and each value with the layer that set it, for the record.
 */
export function mergeOptions(
  mode: Mode,
  layers: readonly Layer[],
): { options: TrialOptions; resolved: ResolvedOptions } {
  const merged = mergeLayers(layers);
  const { mode: _, ...set } = merged.options;
  const options: Record<string, unknown> = { ...defaultsFor(mode), ...set };
  const sources: Record<string, OptionSource> = { ...merged.sources };
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
