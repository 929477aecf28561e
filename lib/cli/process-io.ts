import { writeSync } from 'node:fs';
import type { Io } from './io.js';

/** All of the text, also into a pipe that is full for the moment; a reader that has gone away (`| head`) is no error. */
function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Signals as an AbortSignal; from here on they do not end the process by themselves. */
function watchSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second ctrl-C means now: nothing is waited for, the journal holds what is done.
      if (controller.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
      controller.abort(signal);
    });
  }
  return controller.signal;
}

/** The real terminal, environment and signals. */
export function processIo(): Io {
  let signal: AbortSignal | null = null;
  return {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    interactive: process.stderr.isTTY === true,
    // 0 in some pseudo-terminals.
    columns: process.stderr.columns || 80,
    // hasColors knows NO_COLOR, FORCE_COLOR and TERM=dumb.
    ...(process.stdout.isTTY
      ? { look: { terminal: true, width: process.stdout.columns || 80, color: process.stdout.hasColors() } }
      : {}),
    cwd: process.cwd(),
    env: process.env,
    // Only for commands that look: where code blocks (a user's function in `quick`, a long fit in `clock`) no handler would ever run, and
    // a signal has to do what it does without one.
    get signal() {
      signal ??= watchSignals();
      return signal;
    },
  };
}
