// Starts a pacer and a deadline timer that outlast this worker, and says so.
import { parentPort } from 'node:worker_threads';
import { openDeadline, start } from '#lib/pacer/index.js';

const pacer = start({ plan: Float64Array.from({ length: 1e6 }, (_, i) => i * 1e4), ringCapacity: 1024 });
const deadline = openDeadline();
if (!pacer.ok || !deadline.ok) throw new Error('not started');
deadline.armIn(3.6e12);
void pacer.ring.wait().then(() => parentPort!.postMessage('released'));
await pacer.result();
