import { pathToFileURL } from 'node:url';
import { installLoader } from '../../loader/loaded.js';
import type { Latency } from '../../suite/latency.js';

/** The default export as a list of measurements; of CommonJS that was compiled from ESM, the inner default. */
export function latenciesOf(exported: unknown): readonly Latency[] {
  const inner = (exported as { default?: unknown } | null | undefined)?.default ?? exported;
  const list = Array.isArray(inner) ? inner : [inner];
  return list.filter((item): item is Latency => (item as Latency | null | undefined)?.kind === 'latency');
}

/** A file that loads and exports no measurement: its message is all there is to say. */
export class NothingToMeasure extends TypeError {}

/** @throws whatever the file throws; {@link NothingToMeasure} when it holds no measurement. */
export async function loadLatencies(file: string): Promise<readonly Latency[]> {
  await installLoader();
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  const found = latenciesOf(module.default);
  if (found.length === 0) {
    throw new NothingToMeasure(
      "it has no latency(...) as its default export; write export default latency('Name', { rate: 1000, run() {} })",
    );
  }
  return found;
}
