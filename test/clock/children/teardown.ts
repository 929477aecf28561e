// Environments come and go while others read: workers are terminated inside their loop, the process exits while some still run.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { hotClock } from '#lib/clock/index.js';

const { read, slot } = hotClock({ calibrateMs: 2 });

const started = () =>
  new Promise<Worker>((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once('message', () => resolve(worker));
    worker.once('error', reject);
  });

if (isMainThread) {
  for (let round = 0; round < 5; round++) {
    const workers = await Promise.all([started(), started(), started(), started()]);
    for (let i = 0; i < 10_000; i++) read();
    await Promise.all(workers.map((worker) => worker.terminate()));
    read();
    if (!(slot[0]! > 0)) process.exit(9);
  }
  await Promise.all([started(), started()]);
  console.log('torn down');
  process.exit(3);
} else {
  parentPort!.postMessage(null);
  for (;;) read();
}
