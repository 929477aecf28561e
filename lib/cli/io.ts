import type { Look } from '../report/look.js';

/** Where a command writes. Passed in, so that commands run under fakes in tests. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  /** Is stderr a terminal? Progress is shown only there. */
  readonly interactive: boolean;
  readonly columns: number;
  /** What standard output is; absent = a file or a pipe. */
  readonly look?: Look;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by ctrl-C (SIGINT) or SIGTERM; `reason` is the signal's name. A command that never reads this is ended by them. */
  readonly signal: AbortSignal;
}

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  environment: 3,
  inconclusive: 4,
  interrupted: 130,
  terminated: 143,
} as const;
