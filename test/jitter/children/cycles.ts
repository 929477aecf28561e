// Creates and destroys samplers, pacers and deadline timers; prints the resident set after each part of the cycles, bytes.
import { start as startSampler } from '#lib/jitter/index.js';
import { openDeadline, start as startPacer } from '#lib/pacer/index.js';

const [cycles, parts] = [Number(process.argv[2]), Number(process.argv[3])];
const collect = (globalThis as { gc?: () => void }).gc!;
const plan = Float64Array.of(0, 1e12);
const resident: number[] = [];

async function cycle(i: number): Promise<void> {
  const kind = i % 2 === 0 ? 'spin' : 'sleep';
  const sampler = startSampler({ kind, capacity: 64, durationMs: 60_000 });
  const pacer = startPacer({ plan, ringCapacity: 16, t0Ns: 0 });
  const deadline = openDeadline();
  if (!sampler.ok || !pacer.ok || !deadline.ok) throw new Error('not started');
  deadline.armIn(1e12);
  sampler.stop();
  pacer.stop();
  await Promise.all([sampler.result(), pacer.result(), deadline.close()]);
}

for (let part = 0; part < parts; part++) {
  for (let i = 0; i < cycles / parts; i++) await cycle(i);
  // Twice, with a turn of the event loop in between: finalisers run after a collection.
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  resident.push(process.memoryUsage().rss);
}
console.log(JSON.stringify(resident));
