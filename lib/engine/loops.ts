/**
 * The measured loops, generated as text so that each benchmark, mode and result kind gets a function of its own:
 * type feedback is never shared, and a benchmark cannot slow another one down.
 *
 * Nothing the benchmark gets is loop-invariant to V8: state, harness and input are read as `S[i & m]` with an `m` that
 * is 0 but is read from memory at run time. A loop-invariant input is enough for V8 to hoist a pure body out of the
 * loop, whatever is done with its result (measured on V8 11.3 to 14.6). Numbers are stored to a typed array (no
 * boxing), everything else to a variable of the enclosing function; a typed array would call ToNumber on them.
 */

/** Memory shared by a loop and the engine. */
export interface LoopCells {
  /** Zeros that the compiler does not know to be zero: four for each of state, harness and input. */
  readonly masks: Int32Array;
  /** Where numbers go, one slot per copy of the body. */
  readonly numbers: Float64Array;
  /** [next input]. */
  readonly walk: Int32Array;
}

export function loopCells(): LoopCells {
  return { masks: new Int32Array(16), numbers: new Float64Array(16), walk: new Int32Array(4) };
}

/** What a loop is generated for. */
export interface LoopTarget {
  readonly fn: (...args: never[]) => unknown;
  readonly state: unknown;
  readonly harness: unknown;
  /** Prepared inputs, walked one per invocation; null when the suite has none. At least one element. */
  readonly inputs: readonly unknown[] | null;
}

export type ResultKind = 'number' | 'other';

/** A generated synchronous loop. */
export interface SyncLoop {
  /** Invokes the benchmark `n` times. */
  readonly loop: (n: number) => void;
  /** Last result that was no number (of the `other` kind: last result), and how many such results a `number` loop saw. */
  readonly last: () => unknown;
  readonly odd: () => number;
  /** Forgets the last result, so that it can be collected. */
  readonly clear: () => void;
}

let serial = 0;

/** Statement that keeps the result of copy `k` alive. */
function sink(kind: ResultKind, k: number): string {
  return kind === 'number'
    ? `if (typeof r${k} === 'number') numbers[${k}] = r${k}; else { last${k} = r${k}; odd++; }`
    : `last${k} = r${k};`;
}

function body(copies: number, kind: ResultKind, inputs: boolean, call: (k: number, args: string) => string): string {
  const lines: string[] = [];
  for (let k = 0; k < copies; k++) {
    const args = `states[i & s${k}], harnesses[i & h${k}]${inputs ? ', inputs[at]' : ''}`;
    lines.push(`const r${k} = ${call(k, args)};`, sink(kind, k));
    if (inputs) lines.push('if (++at >= length) at = 0;');
  }
  return lines.join('\n      ');
}

/**
 * Text of a loop function with `copies` of the call per turn. Each copy has masks and sinks of its own, so that V8
 * cannot prove two copies equal and merge them.
 */
export function syncSource(
  copies: number,
  kind: ResultKind,
  inputs: boolean,
  call: (k: number, args: string) => string = (_, args) => `fn(${args})`,
): string {
  const each = (text: (k: number) => string) => Array.from({ length: copies }, (_, k) => text(k)).join(' ');
  // The serial number keeps V8's compilation cache from handing out one function, and its feedback, twice.
  return `'use strict'; // loop ${serial++}
  let odd = 0; ${each((k) => `let last${k};`)}
  function loop(n) {
    ${each((k) => `const s${k} = masks[${k}], h${k} = masks[${4 + k}];`)}
    ${inputs ? 'let at = walk[0]; const length = inputs.length;' : ''}
    for (let i = 0; i < n; i++) {
      ${body(copies, kind, inputs, call)}
    }
    ${inputs ? 'walk[0] = at;' : ''}
  }
  return {
    loop,
    last: () => last${copies - 1},
    odd: () => odd,
    clear: () => { ${each((k) => `last${k} = undefined;`)} },
  };`;
}

/** Generates a loop. `copies` bodies per turn count as `copies` invocations each turn. */
export function makeSyncLoop(
  target: LoopTarget,
  kind: ResultKind,
  cells: LoopCells,
  copies = 1,
  call?: (k: number, args: string) => string,
): SyncLoop {
  const source = syncSource(copies, kind, target.inputs !== null, call);
  const make = new Function('fn', 'states', 'harnesses', 'inputs', 'masks', 'numbers', 'walk', source);
  return make(
    target.fn,
    varying(target.state),
    varying(target.harness),
    target.inputs,
    cells.masks,
    cells.numbers,
    cells.walk,
  ) as SyncLoop;
}

/** A one-element array that V8 must take for changeable: it has held different kinds of values. */
export function varying(value: unknown): unknown[] {
  const array: unknown[] = [null, {}];
  array.pop();
  array[0] = value;
  return array;
}
