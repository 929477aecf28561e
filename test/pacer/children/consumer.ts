// Reads a ring to its end and posts the sequence numbers.
import { parentPort, workerData } from 'node:worker_threads';
import { ENTRY, Ring } from '#lib/pacer/index.js';

const ring = new Ring(workerData as SharedArrayBuffer);
const into = new Float64Array(ENTRY * 16);
const sequences: number[] = [];
while (await ring.wait()) {
  const count = ring.read(into);
  for (let i = 0; i < count; i++) sequences.push(into[i * ENTRY]!);
}
parentPort!.postMessage(sequences);
