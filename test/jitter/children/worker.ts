// Starts two samplers, says 0, and says the number of turns of the first when it has ended.
import { parentPort, workerData } from 'node:worker_threads';
import { start } from '#lib/jitter/index.js';

const options = (workerData as { durationMs?: number } | null) ?? {};
const spinning = start({ ...options, kind: 'spin' });
const sleeping = start({ ...options, kind: 'sleep' });
if (!spinning.ok || !sleeping.ok) throw new Error('not started');
parentPort!.postMessage(0);
parentPort!.postMessage((await spinning.result()).turns);
