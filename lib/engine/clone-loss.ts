/** What a value loses on its way to another thread: the structured clone keeps data, not classes. */
import type { Finding } from '../result/model.js';

/** Built-ins that arrive as what they were; subclasses of them, Buffer for one, do not. */
const KEPT: ReadonlySet<unknown> = new Set([
  null,
  ...[Object, Array, Map, Set, Date, RegExp, Boolean, Number, String].map((type) => type.prototype),
  ...[ArrayBuffer, SharedArrayBuffer, DataView].map((type) => type.prototype),
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array].map(
    (type) => type.prototype,
  ),
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array].map((type) => type.prototype),
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((type) => type.prototype),
]);

/** Values looked at: what is shared may be a million records, and the first ones tell. */
const LOOKED_AT = 1000;

interface Place {
  readonly value: unknown;
  readonly path: string;
}

function* inside({ value, path }: Place): Generator<Place> {
  if (value instanceof Map) {
    for (const [key, each] of value) {
      yield { value: key, path: `a key of ${path}` };
      yield { value: each, path: `a value of ${path}` };
    }
  } else if (value instanceof Set) {
    for (const each of value) yield { value: each, path: `a value of ${path}` };
  } else if (!ArrayBuffer.isView(value)) {
    for (const key of Object.keys(value as object)) {
      const at = Array.isArray(value) ? `[${key}]` : `.${key}`;
      yield { value: (value as Record<string, unknown>)[key], path: `${path}${at}` };
    }
  }
}

/** Where in a value the first class instance is, and of which class; null if there is none among the first 1000 values. */
export function classInstance(root: unknown): { readonly path: string; readonly name: string } | null {
  const seen = new Set<unknown>();
  const queue: Place[] = [{ value: root, path: 'shared' }];
  for (let i = 0; i < queue.length; i++) {
    const place = queue[i]!;
    const { value, path } = place;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!KEPT.has(prototype)) {
      const { constructor: type } = value;
      return { path, name: (typeof type === 'function' && type.name) || 'a class' };
    }
    for (const each of inside(place)) if (queue.push(each) >= LOOKED_AT) break;
  }
  return null;
}

/** Says so when threads get less than `shared` returned. */
export function cloneLoss(shared: unknown): Finding | null {
  const found = classInstance(shared);
  if (found === null) return null;
  const message = `${found.path} is an instance of ${found.name}, and each thread gets a copy of its fields without its class (structured clone): make instances in setup, from plain data that shared returns.`;
  return { id: 'shared-plain', severity: 'warning', message };
}
