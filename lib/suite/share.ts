/** Shares as users write them. */
import type { Read } from './read-fields.js';
import { show } from './show.js';

/** `1%`, `0.01`, `1 %` or 0.01 as a share between 0 and 1; otherwise the end of a sentence. */
export function readShare(given: unknown): Read<number> {
  const text = typeof given === 'number' ? String(given) : given;
  const match = typeof text === 'string' ? /^\s*(\d+(?:\.\d+)?(?:e-?\d+)?|\.\d+)\s*(%?)\s*$/.exec(text) : null;
  const value = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  if (value > 0 && value < 1) return { value };
  const hint = value >= 1 && match?.[2] !== '%' ? ` Did you mean ${String(text).trim()}%?` : '';
  return { problem: `${show(given)} is not a share between 0 and 1, such as 1% or 0.01.${hint}` };
}
