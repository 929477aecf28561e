/** Sets a flag when stdin ends: the host wants the run to stop, or is gone. The measuring thread may spin, so this is a thread of its own. */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

const flag = new Int32Array(workerData as SharedArrayBuffer);
const stop = () => {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
};
const input = new Socket({ fd: 0, readable: true, writable: false });
input.on('data', stop).on('end', stop).on('error', stop).on('close', stop);
