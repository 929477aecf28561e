import type { LatencyData } from './model.js';

/** What tells a measurement from the others of a file: its name and params, on one line. `Order book (size=16)`. */
export function titleOf({ name, params }: Pick<LatencyData, 'name' | 'params'>): string {
  const values = Object.entries(params).map(([param, value]) => `${param}=${value}`);
  const title = values.length > 0 ? `${name} (${values.join(', ')})` : name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: values of params may hold any text; control characters break lines and keys.
  return title.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
}
