/**
 * The measured loop of an asynchronous benchmark: `inflight` lanes, each awaiting one invocation after the other.
 * Chunks are cut where every n-th invocation completes, without draining in between, so that with several lanes the
 * number in flight stays what was asked for.
 */
import { type LoopCells, type LoopTarget, varying } from './loops.js';

/** A generated asynchronous loop. */
export interface LaneLoop {
  /**
   * Runs the lanes until `boundary` returns 0. It is called after every `n` completions and returns the next n.
   * Resolves when all lanes have ended; what was in flight at the end is awaited but not counted.
   */
  readonly run: (lanes: number, n: number, boundary: () => number) => Promise<void>;
  readonly last: () => unknown;
  readonly clear: () => void;
}

let serial = 0;

/** Thrown when a benchmark that returned promises returned something else. */
export class NotAPromiseError extends Error {
  override readonly name = 'NotAPromiseError';
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Generates the lanes for a target; see loops.ts for masks and sinks. */
export function makeLaneLoop(target: LoopTarget, cells: LoopCells): LaneLoop {
  const inputs = target.inputs !== null;
  const source = `'use strict'; // lanes ${serial++}
  let last, done, next, stop, turn = 0, at = 0, boundary;
  async function lane() {
    const s = masks[0], h = masks[4];
    ${inputs ? 'const length = inputs.length;' : ''}
    while (!stop) {
      const i = turn++ & 0xffff;
      const p = fn(states[i & s], harnesses[i & h]${inputs ? ', inputs[at]' : ''});
      ${inputs ? 'if (++at >= length) at = 0;' : ''}
      if (p === null || p === undefined || typeof p.then !== 'function') refuse(p);
      last = await p;
      if (!stop && ++done === next) {
        const more = boundary();
        if (more === 0) stop = true; else next += more;
      }
    }
  }
  return {
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
  };`;
  const refuse = (value: unknown) => {
    throw new NotAPromiseError(`it returned ${value === null ? 'null' : typeof value} after it had returned promises`);
  };
  const make = new Function('fn', 'states', 'harnesses', 'inputs', 'masks', 'refuse', source);
  return make(
    target.fn,
    varying(target.state),
    varying(target.harness),
    target.inputs,
    cells.masks,
    refuse,
  ) as LaneLoop;
}
