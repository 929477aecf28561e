/**
 * Time limits inside a fork. Synchronous code is ended by V8's own watchdog (`timeout` of node:vm): a native thread
 * terminates the execution, user code cannot catch it, and control comes back here. Asynchronous code is raced with a
 * timer. What neither reaches (an endless loop after an `await`, native code that does not return) is left to the host,
 * which ends the whole fork.
 */

import { clearTimeout, setTimeout } from './own-time.js';
import { DeadlineError } from './types.js';

const { Script } = process.getBuiltinModule('node:vm');

const SLOT = Symbol.for('tscope.engine.deadline');
const script = new Script(`globalThis[Symbol.for('tscope.engine.deadline')]()`, { filename: 'tscope-deadline' });

/** Runs `run` and returns its result; throws {@link DeadlineError} when it takes longer than `ms`. */
export function withDeadline<T>(ms: number, run: () => T): T {
  const scope = globalThis as { [SLOT]?: () => T };
  const before = scope[SLOT];
  scope[SLOT] = run;
  try {
    return script.runInThisContext({ timeout: Math.min(2 ** 31 - 1, Math.max(1, Math.round(ms))) }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new DeadlineError(`did not return within ${ms} ms`, false);
    }
    throw error;
  } finally {
    if (before) scope[SLOT] = before;
    else delete scope[SLOT];
  }
}

/** Resolves like `promise`, or rejects with {@link DeadlineError} after `ms`. The timer keeps the process alive. */
export async function withTimer<T>(ms: number, promise: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // setTimeout counts in 32 bits; a longer limit is no limit inside the fork.
    if (ms < 2 ** 31) timer = setTimeout(() => reject(new DeadlineError(`did not settle within ${ms} ms`, true)), ms);
    else timer = setTimeout(() => {}, 2 ** 31 - 1);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
