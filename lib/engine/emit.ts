/**
 * Messages of a fork: written synchronously, so that they survive process.exit, process.abort and a crash right after.
 * stdout may be a non-blocking pipe (the user's own prints make it so); a full pipe is waited for, not given up on.
 */
import { encodeMessage } from '../protocol/framing.js';
import type { ForkMessage } from '../protocol/messages.js';

const { writeSync } = process.getBuiltinModule('node:fs');

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
      if (code === 'EPIPE') process.exit(1);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

/** Makes the function that sends messages marked with the fork's token. */
export function emitter(token: string, fd = 1): (message: ForkMessage) => void {
  return (message) => writeFully(fd, Buffer.from(encodeMessage(token, message)));
}
