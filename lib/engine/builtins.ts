/**
 * Built-ins as they were before user code ran. The engine's own bookkeeping calls them, so one that user code replaced
 * (a polyfill, a fake clock, a broken patch) can change what is measured, or end the fork far from its cause.
 */
import type { Finding } from '../result/model.js';

/** What the engine calls, by the name under which a person knows it. */
const OWNERS: readonly (readonly [name: string, owner: object, keys: readonly PropertyKey[] | null])[] = [
  [
    'globalThis',
    globalThis,
    'Array Atomics BigInt Buffer Float64Array Function Int32Array JSON Map Math Number Object Promise Set SharedArrayBuffer String process'.split(
      ' ',
    ),
  ],
  ['Array.prototype', Array.prototype, null],
  ['Array', Array, null],
  ['Atomics', Atomics, null],
  ['JSON', JSON, null],
  ['Map.prototype', Map.prototype, null],
  ['Math', Math, null],
  ['Object', Object, null],
  ['Object.prototype', Object.prototype, null],
  ['Promise', Promise, null],
  ['Promise.prototype', Promise.prototype, null],
  ['Set.prototype', Set.prototype, null],
  ['String.prototype', String.prototype, null],
  ['process', process, ['exit', 'getBuiltinModule', 'hrtime', 'memoryUsage', 'resourceUsage']],
];

const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;
const { ownKeys } = Reflect;
const text = String;

interface Kept {
  readonly name: string;
  readonly owner: object;
  readonly key: PropertyKey;
  readonly value: unknown;
}

/** Reading a getter of `globalThis` or `process` can load a module: only its identity counts. */
const heldValue = (owner: object, key: PropertyKey): unknown => {
  const found = getOwnPropertyDescriptor(owner, key) ?? getOwnPropertyDescriptor(getPrototypeOf(owner) ?? owner, key);
  return found === undefined ? undefined : (found.get ?? found.value);
};

const kept: readonly Kept[] = OWNERS.flatMap(([name, owner, keys]) =>
  (keys ?? ownKeys(owner)).map((key) => ({
    name: name === 'globalThis' ? text(key) : `${name}${typeof key === 'symbol' ? `[${key.description}]` : `.${key}`}`,
    owner,
    key,
    value: heldValue(owner, key),
  })),
);
/** Names that a healthy Object.prototype has; what is added there is seen by every `in` and every descriptor. */
const objectKeys = ownKeys(Object.prototype).length;

/**
 * Names of the built-ins that are no longer what they were when this module was loaded, in a fixed order, at most `most`.
 * Works with broken built-ins: it calls only functions that it holds itself.
 */
export function changedBuiltins(most = 4): string[] {
  const changed: string[] = [];
  let count = 0;
  for (let i = 0; i < kept.length && count < most; i++) {
    const { name, owner, key, value } = kept[i]!;
    if (!is(heldValue(owner, key), value)) changed[count++] = name;
  }
  const keys = ownKeys(Object.prototype);
  if (count < most && keys.length > objectKeys) changed[count++] = `Object.prototype.${text(keys[keys.length - 1])}`;
  return changed;
}

/** The names as text, put together without what may be broken; null when nothing was changed. */
function changedText(): string | null {
  const names = changedBuiltins();
  let list = '';
  for (let i = 0; i < names.length; i++) list += (i === 0 ? '' : ', ') + names[i];
  return list === '' ? null : list;
}

let told = false;

/** Says so when user code has replaced what the engine itself calls; once on each thread. */
export function builtinsFinding(): Finding | null {
  const changed = told ? null : changedText();
  if (changed === null) return null;
  told = true;
  const message =
    `Code of the benchmark has replaced ${changed}. tscope calls these as well while it measures, so the score may be wrong: ` +
    'do not patch built-ins in a process that measures, or only around the call that needs it.';
  return { id: 'builtins-changed', severity: 'warning', message };
}

/** `message` of a failure, with what may have been its cause. */
export function withChangedBuiltins(message: string): string {
  const changed = changedText();
  return changed === null ? message : `${message} (user code has replaced ${changed}, which tscope itself calls)`;
}
