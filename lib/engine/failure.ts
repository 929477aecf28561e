/** Failures of user code: where, what, and the user's own stack. */
import { lateTypeScript } from '../loader/loaded.js';
import type { Failure } from '../result/model.js';
import { withChangedBuiltins } from './builtins.js';

/** Ends a fork: carries the phase and one sentence; `cause` is what the user's code threw. */
export class PhaseError extends Error {
  override readonly name = 'PhaseError';
  readonly phase: string;
  constructor(phase: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.phase = phase;
  }
}

/** Longest text of a failure that is kept, and longest stack, characters: user code can throw a whole file. */
const MAX_TEXT = 2000;
const MAX_STACK = 16_000;

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}... (${text.length} characters)`;
}

/** What was thrown, as text; any value can be thrown in JavaScript. */
export function describeThrown(thrown: unknown): string {
  return clip(textOf(thrown), MAX_TEXT);
}

function textOf(thrown: unknown): string {
  if (thrown instanceof Error) {
    const text = thrown.message === '' ? thrown.name : `${thrown.name}: ${thrown.message}`;
    const late = lateTypeScript(thrown);
    return late === null ? text : `${text}: ${late}`;
  }
  try {
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
    return typeof thrown === 'string' ? thrown : `${String(thrown)} (not an Error)`;
  } catch {
    return 'a value that cannot be turned into text';
  }
}

/** Stack of what was thrown, or null when it has none. */
export function stackOf(thrown: unknown): string | null {
  try {
    const stack = typeof thrown === 'object' && thrown !== null && 'stack' in thrown ? thrown.stack : null;
    return typeof stack === 'string' ? clip(stack, MAX_STACK) : null;
  } catch {
    return null;
  }
}

/** The message of a `failed` line. The stack is the user's where there is one. */
export function toFailure(error: unknown, phase: string): Pick<Failure, 'phase' | 'message' | 'stack'> {
  if (error instanceof PhaseError) {
    return {
      phase: error.phase,
      message: withChangedBuiltins(error.message),
      stack: error.cause === undefined ? null : stackOf(error.cause),
    };
  }
  return { phase, message: withChangedBuiltins(describeThrown(error)), stack: stackOf(error) };
}
