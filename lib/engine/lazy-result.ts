/** Results that stand for work which has not begun: making them is cheap, whatever is in them. */
import type { Finding } from '../result/model.js';

const tagged = Object.prototype.toString;

/** `Generator`, `Array Iterator`, `Iterator Helper`, ...; null for what cannot be asked (a proxy that throws). */
function tagOf(value: object): string | null {
  try {
    return tagged.call(value).slice('[object '.length, -1);
  } catch {
    return null;
  }
}

/** Says so when a benchmark returns a generator or an iterator that nobody walks, or a function that nobody calls. */
export function lazyResult(value: unknown): Finding | null {
  if (typeof value === 'function') {
    const message =
      'The benchmark returns a function, and that function is not called: what is in it is not in the score. If the work is there, call it in the benchmark.';
    return { id: 'lazy-result', severity: 'info', message };
  }
  if (typeof value !== 'object' || value === null) return null;
  const tag = tagOf(value);
  if (tag === null || !/Generator$|Iterator(?: Helper)?$/.test(tag)) return null;
  const what = /Generator$/.test(tag)
    ? 'a generator, whose body has not begun'
    : 'an iterator, which is walked by nobody';
  const message =
    `The benchmark returns ${what}: the score is the cost of making it, not of the work in it. ` +
    'Walk it inside the benchmark (for...of, a spread, next()) and return what comes out.';
  return { id: 'lazy-result', severity: 'warning', message, data: { kind: tag } };
}
