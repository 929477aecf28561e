/**
 * Messages of a fork: written synchronously, so that they survive process.exit, process.abort and a crash right after.
 * stdout may be a non-blocking pipe (the user's own prints make it so); a full pipe is waited for, not given up on.
 */
import { encodeMessage } from '../protocol/framing.js';
import type { ForkMessage } from '../protocol/messages.js';
import { withChangedBuiltins } from './builtins.js';

const { writeSync } = process.getBuiltinModule('node:fs');

// Held here: user code can replace them, and what it broke must still be told.
const { wait } = Atomics;
const { stringify } = JSON;
const bytesOf = Buffer.from;
const exit = process.exit.bind(process);

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all bytes to `fd`; waits 1 ms at a time while the pipe is full. */
export function writeFully(fd: number, bytes: Uint8Array, write: typeof writeSync = writeSync): void {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += write(fd, bytes, offset, bytes.length - offset);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // The host is gone: nobody will read what is measured, and a fork that went on would disturb whatever runs next.
      if (code === 'EPIPE') exit(1);
      if (code !== 'EAGAIN') throw error;
      wait(pause, 0, 0, 1);
    }
  }
}

/** Makes the function that sends messages marked with the fork's token. */
export function emitter(token: string, fd = 1): (message: ForkMessage) => void {
  return (message) => {
    const text = encodeMessage(token, message);
    if (text.indexOf('{"type":') === token.length + 2) return writeFully(fd, bytesOf(text));
    // JSON itself is broken (a toJSON of all objects); texts still pass.
    const why = withChangedBuiltins('what was measured could not be written as JSON');
    const failure = `{"type":"failed","failure":{"phase":"engine","message":${stringify(why)},"stack":null}}`;
    writeFully(fd, bytesOf(`\x1e${token} ${failure}\n`));
    exit(1);
  };
}
