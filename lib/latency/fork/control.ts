import { readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** The first line of stdin. The rest of stdin is left to {@link watchStop}. */
export function readLine(): string {
  const parts: Buffer[] = [];
  const chunk = Buffer.alloc(65_536);
  for (;;) {
    let size: number;
    try {
      size = readSync(0, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') continue;
      throw error;
    }
    const end = chunk.subarray(0, size).indexOf(10);
    parts.push(Buffer.from(chunk.subarray(0, end < 0 ? size : end)));
    if (size === 0 || end >= 0) return Buffer.concat(parts).toString('utf8');
  }
}

export interface StopWatch {
  readonly stopped: () => boolean;
  request(): void;
}

/** Watches stdin from a thread of its own; resolves when that thread is up. Create it before anything is pinned. */
export async function watchStop(): Promise<StopWatch> {
  const shared = new SharedArrayBuffer(4);
  const flag = new Int32Array(shared);
  const worker = new Worker(new URL('./control-worker.js', import.meta.url), {
    workerData: shared,
    // Nothing of the user's flags or loaders in there.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
  await new Promise<void>((resolve, reject) => worker.once('online', resolve).once('error', reject));
  worker.unref();
  return {
    stopped: () => Atomics.load(flag, 0) !== 0,
    request: () => {
      Atomics.store(flag, 0, 1);
    },
  };
}
