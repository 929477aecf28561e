/**
 * Text of the measured loops. See loops.ts for why they are generated and what the masks are for.
 *
 * Three shapes: `plain` (nothing but invocations), `timed` (each invocation between two clock reads, with the fixtures
 * of invocation level around them) and `sample` (some invocations between two clock reads, at random gaps).
 */

/**
 * How results are kept. Only `other` stores a pointer, and with it V8's write barrier, which while the collector marks
 * costs several ns (0.8 -> 5.2 ns for an empty op on V8 13.6, for as long as marking lasts).
 */
export type ResultKind = 'number' | 'boolean' | 'undefined' | 'other';

export function resultKindOf(value: unknown): ResultKind {
  const kind = typeof value;
  return kind === 'number' || kind === 'boolean' || kind === 'undefined' ? kind : 'other';
}

export type LoopShape = 'plain' | 'timed' | 'sample';

export interface LoopOptions {
  readonly shape: LoopShape;
  readonly kind: ResultKind;
  /** The suite has inputs: each invocation gets the next one. */
  readonly inputs: boolean;
  /** Invocations that one sample times; 1 for the other shapes. */
  readonly batch: number;
  /** Fixtures of invocation level. */
  readonly before: boolean;
  readonly after: boolean;
  /** The function is read from memory for each call, so that its call site can be made megamorphic. */
  readonly opaque: boolean;
}

export const PLAIN: LoopOptions = {
  shape: 'plain',
  kind: 'other',
  inputs: false,
  batch: 1,
  before: false,
  after: false,
  opaque: false,
};

/** Names under which a generated loop gets what it works with. */
export const LOOP_ARGUMENTS = [
  'fns',
  'states',
  'harnesses',
  'inputs',
  'params',
  'before',
  'after',
  'cells',
  'clock',
  'histogram',
  'refuse',
] as const;

const CELLS = `const { masks, numbers, walk, spent, random } = cells;
  const fn = fns[0];
  const { readOrdered, slot, nsPerTick } = clock;`;

/** Marsaglia's xorshift32; the gap is scaled from the high bits, so that it has no short period as low bits would. */
const NEXT_GAP = `function nextGap() {
    let x = random[0];
    x ^= x << 13; x ^= x >>> 17; x ^= x << 5;
    random[0] = x;
    return Math.floor((x >>> 0) * spent[3] / 4294967296);
  }
  function record(ticks) {
    if (spent[4] !== 0) return; // between iterations of threads: called, not measured
    spent[1] += ticks;
    spent[2]++;
    histogram.record(ticks * nsPerTick);
  }`;

let serial = 0;
/** Keeps V8's compilation cache from handing out one function, and its feedback, twice. */
export const unique = (what: string): string => `'use strict'; // ${what} ${serial++}`;

const args = (k: number, options: LoopOptions) =>
  `states[i & s${k}], harnesses[i & h${k}]${options.inputs ? ', inputs[at]' : ''}`;
const callee = (options: LoopOptions) => (options.opaque ? 'fns[i & f0]' : 'fn');
const advance = (options: LoopOptions) => (options.inputs ? 'if (++at >= length) at = 0;' : '');

/** Statement that keeps result `r` alive through copy k's own sink; what is of another kind is counted. */
function sink(kind: ResultKind, k: number): string {
  const odd = `{ last${k} = r${k}; odd++; }`;
  switch (kind) {
    case 'number':
      return `if (typeof r${k} === 'number') numbers[${k}] = r${k}; else ${odd}`;
    case 'boolean':
      return `if (typeof r${k} === 'boolean') numbers[${k}] = r${k} ? 1 : 0; else ${odd}`;
    case 'undefined':
      return `if (r${k} !== undefined) ${odd}`;
    case 'other':
      return `last${k} = r${k};`;
  }
}

const invoke = (k: number, options: LoopOptions) =>
  `const r${k} = ${callee(options)}(${args(k, options)}); ${sink(options.kind, k)} ${advance(options)}`;

const fixture = (name: 'before' | 'after', options: LoopOptions) =>
  options[name] ? `${name}(states[i & s0], params);` : '';

/** Invocations of one turn: as many as one sample times. */
function turn(options: LoopOptions): string {
  const one = invoke(0, options);
  return options.batch === 1 ? one : `for (let b = 0; b < ${options.batch}; b++) { ${one} }`;
}

function turns(copies: number, options: LoopOptions): string {
  const timed = (keep: string) =>
    `${fixture('before', options)}
      readOrdered(); const start = slot[0];
      ${turn(options)}
      readOrdered(); ${keep}
      ${fixture('after', options)}`;
  switch (options.shape) {
    case 'plain':
      return `for (let i = 0; i < n; i++) {
      ${Array.from({ length: copies }, (_, k) => invoke(k, options)).join('\n      ')}
    }
    return n;`;
    case 'timed':
      return `let total = 0;
    for (let i = 0; i < n; i++) {
      ${timed('total += slot[0] - start;')}
    }
    spent[0] = total;
    return n;`;
    case 'sample':
      return `let done = 0;
    for (let k = 0; k < n; k++) {
      const gap = nextGap();
      for (let i = 0; i < gap; i++) {
        ${fixture('before', options)}
        ${turn(options)}
        ${fixture('after', options)}
      }
      const i = k;
      ${timed('record(slot[0] - start);')}
      done += gap + 1;
    }
    return done * ${options.batch};`;
  }
}

/**
 * A synchronous loop. With several copies of the call per turn each copy has masks and sinks of its own, so that V8
 * cannot prove two copies equal and merge them.
 */
export function syncSource(copies: number, options: LoopOptions): string {
  const each = (text: (k: number) => string) => Array.from({ length: copies }, (_, k) => text(k)).join(' ');
  return `${unique('loop')}
  ${CELLS}
  ${options.shape === 'sample' ? NEXT_GAP : ''}
  let odd = 0; ${each((k) => `let last${k};`)}
  function loop(n) {
    ${each((k) => `const s${k} = masks[${k}], h${k} = masks[${32 + k}];`)}
    ${options.opaque ? 'const f0 = masks[63];' : ''}
    ${options.inputs ? 'let at = walk[0]; const length = inputs.length;' : ''}
    ${turns(copies, options).replace(/return ([^;]*);/, `${options.inputs ? 'walk[0] = at; ' : ''}return $1;`)}
  }
  return {
    loop,
    last: () => last${copies - 1},
    odd: () => odd,
    clear: () => { ${each((k) => `last${k} = undefined;`)} },
  };`;
}

/** How an asynchronous invocation is awaited: a promise is insisted on, or (fixtures are what is asynchronous) not. */
const AWAIT_STRICT = `if (p === null || p === undefined || typeof p.then !== 'function') refuse(p); last = await p;`;

/** Lanes that each await one invocation after the other; chunks are cut at every n-th completion. */
export function laneSource(options: LoopOptions, strict: boolean): string {
  const { shape } = options;
  const timed = shape !== 'plain';
  const call = `const p = ${callee(options)}(${args(0, options)}); ${advance(options)} ${strict ? AWAIT_STRICT : 'last = await p;'}`;
  const batch = options.batch === 1 ? call : `for (let b = 0; b < ${options.batch}; b++) { ${call} }`;
  const awaited = (name: 'before' | 'after') =>
    options[name]
      ? `{ const f = ${name}(states[i & s0], params); if (f && typeof f.then === 'function') await f; }`
      : '';
  const keep =
    shape === 'timed'
      ? 'spent[0] += slot[0] - start;'
      : 'if (gap-- <= 0) { record(slot[0] - start); gap = nextGap(); }';
  return `${unique('lanes')}
  ${CELLS}
  ${shape === 'sample' ? NEXT_GAP : ''}
  let last, done, next, stop, count = 0, at = walk[0], boundary;
  async function lane() {
    const s0 = masks[0], h0 = masks[32]; ${options.opaque ? 'const f0 = masks[63];' : ''}
    ${options.inputs ? 'const length = inputs.length;' : ''}
    ${shape === 'sample' ? 'let gap = nextGap();' : ''}
    while (!stop) {
      const i = count++ & 0xffff;
      ${awaited('before')}
      ${timed ? 'readOrdered(); const start = slot[0];' : ''}
      ${batch}
      ${timed ? `readOrdered(); if (!stop) { ${keep} }` : ''}
      ${awaited('after')}
      if (!stop && ++done === next) {
        const more = boundary();
        if (more === 0) stop = true; else next += more;
      }
    }
  }
  return {
    lane,
    async run(lanes, n, onBoundary) {
      done = 0; next = n; stop = false; boundary = onBoundary;
      const running = [];
      let failure;
      for (let k = 0; k < lanes; k++) {
        running.push(lane().catch((error) => { stop = true; failure ??= { error }; }));
      }
      await Promise.all(running);
      if (failure) throw failure.error;
    },
    last: () => last,
    clear: () => { last = undefined; },
    forget: () => { last = undefined; at = walk[0]; count = 0; },
  };`;
}

/**
 * A single shot: `n` invocations in a row between two ordered clock reads, awaited where they return promises. The
 * first call of a process has no type feedback yet, so nothing is chosen by it.
 */
export function shotSource(options: LoopOptions): string {
  const before = options.before
    ? 'const f = before(states[i & s0], params); if (f && typeof f.then === "function") await f;'
    : '';
  const after = options.after
    ? 'const g = after(states[i & s0], params); if (g && typeof g.then === "function") await g;'
    : '';
  return `${unique('shot')}
  ${CELLS}
  let last, promises = 0, others = 0;
  async function shot(n) {
    const s0 = masks[0], h0 = masks[32]; ${options.opaque ? 'const f0 = masks[63];' : ''}
    ${options.inputs ? 'let at = walk[0]; const length = inputs.length;' : ''}
    const i = 0;
    ${before}
    readOrdered(); const start = slot[0];
    for (let i = 0; i < n; i++) {
      const r = ${callee(options)}(${args(0, options)}); ${advance(options)}
      if (r !== null && r !== undefined && typeof r.then === 'function') { promises++; last = await r; }
      else { others++; last = r; }
    }
    readOrdered(); const took = slot[0] - start;
    ${after}
    ${options.inputs ? 'walk[0] = at;' : ''}
    return { start, took };
  }
  return { shot, last: () => last, promises: () => promises, others: () => others, clear: () => { last = undefined; },
    forget: () => { last = undefined; promises = 0; others = 0; } };`;
}
