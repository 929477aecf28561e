import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { hotClock } from '#lib/clock/index.js';
import { allowedCpus } from '#lib/cpu/index.js';
import { loadAddon } from '#lib/native/load.js';
import { ENTRY, type Pacer, type PacerOptions, Ring, start } from '#lib/pacer/index.js';

const { addon } = loadAddon();
const withAddon = addon ? test.serial : test.serial.skip;
const onLinux = addon && process.platform === 'linux' ? test.serial : test.serial.skip;
const evenly = (n: number, gapNs: number) => Float64Array.from({ length: n }, (_, i) => i * gapNs);

function started(options: PacerOptions): Pacer {
  const pacer = start(options);
  if (!pacer.ok) throw new Error(`${pacer.message}: ${pacer.hint}`);
  return pacer;
}

function now(): number {
  const { read, slot, nsPerTick } = hotClock();
  read();
  return slot[0]! * nsPerTick;
}

withAddon(
  'an async consumer gets every entry once, in order, never before its time, on the clock it reads itself',
  async (t) => {
    const plan = Float64Array.from({ length: 500 }, (_, i) => i * 100_000 + (i % 7) * 10);
    const pacer = started({ plan, ringCapacity: 512 });
    const into = new Float64Array(ENTRY * 64);
    let next = 0;
    while (await pacer.ring.wait()) {
      const count = pacer.ring.read(into);
      const read = now();
      for (let i = 0; i < count; i++) {
        const [sequence, planned, released] = into.subarray(i * ENTRY);
        t.is(sequence, next);
        t.is(planned, pacer.t0Ns + plan[next]!);
        // A tick is a fraction of a ns.
        t.true(released! >= planned! - 1);
        t.true(released! <= read);
        next++;
      }
    }
    t.is(next, 500);
    t.true(pacer.ring.ended);
    t.is(pacer.ring.state, 'exhausted');
    const result = await pacer.result();
    t.is(result.released, 500);
    t.is(result.overflow, 0);
    t.false(result.stopped);
    t.is(result.lateness.count, 500);
    t.false(await pacer.ring.wait());
  },
);

withAddon('a plan in the past is released at once, and says exactly how late it is', async (t) => {
  const t0Ns = Math.max(now() - 1e9, 0);
  const before = now();
  const pacer = started({ plan: evenly(10, 1000), t0Ns, ringCapacity: 16 });
  t.is(pacer.t0Ns, t0Ns);
  const result = await pacer.result();
  t.is(result.released, 10);
  const into = new Float64Array(16 * ENTRY);
  t.is(pacer.ring.read(into), 10);
  const late = Array.from({ length: 10 }, (_, i) => Math.floor(into[i * ENTRY + 2]! - into[i * ENTRY + 1]!));
  t.is(result.lateness.max, Math.max(...late));
  t.is(result.lateness.min, Math.min(...late));
  for (const [i, ns] of late.entries()) t.true(ns >= before - t0Ns - i * 1000 - 1);
});

withAddon(
  'an unread ring overflows: counted, never blocking, the first entries kept, and the gap is visible',
  async (t) => {
    const pacer = started({ plan: evenly(100, 1000), ringCapacity: 16 });
    const result = await pacer.result();
    t.is(result.released, 100);
    t.is(result.overflow, 84);
    t.is(pacer.ring.overflow, 84);
    t.is(pacer.ring.size, 16);
    const into = new Float64Array(ENTRY * 5);
    const sequences: number[] = [];
    const depths: number[] = [];
    for (let count = pacer.ring.read(into); count > 0; count = pacer.ring.read(into)) {
      for (let i = 0; i < count; i++) {
        sequences.push(into[i * ENTRY]!);
        depths.push(into[i * ENTRY + 3]!);
      }
    }
    const first = Array.from({ length: 16 }, (_, i) => i);
    t.deepEqual(sequences, first);
    t.deepEqual(depths, first);
    t.is(pacer.ring.read(into), 0);
    t.true(pacer.ring.ended);
  },
);

withAddon('stop ends a plan that lasts for hours; who waits learns it', async (t) => {
  const pacer = started({ plan: Float64Array.of(3.6e12), ringCapacity: 16 });
  const waiting = pacer.ring.wait();
  pacer.stop();
  pacer.stop();
  t.false(await waiting);
  const result = await pacer.result();
  t.true(result.stopped);
  t.is(result.released, 0);
  t.is(pacer.ring.state, 'stopped');
  pacer.stop();
});

withAddon('an empty plan ends at once', async (t) => {
  const pacer = started({ plan: new Float64Array(0), ringCapacity: 16 });
  t.false(await pacer.ring.wait());
  t.is((await pacer.result()).released, 0);
});

withAddon('a worker consumes a ring that another thread owns', async (t) => {
  const file = fileURLToPath(new URL('children/consumer.js', import.meta.url));
  const pacer = started({ plan: evenly(200, 200_000), ringCapacity: 256, t0Ns: now() + 300e6 });
  const worker = new Worker(file, { workerData: pacer.ring.buffer });
  const sequences = await new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  t.deepEqual(
    sequences,
    Array.from({ length: 200 }, (_, i) => i),
  );
  t.is((await pacer.result()).overflow, 0);
});

onLinux('pinned to a CPU it runs; a CPU that does not exist is refused with a hint', async (t) => {
  const cpu = allowedCpus()!.at(-1)!;
  const result = await started({ plan: evenly(10, 1000), ringCapacity: 16, cpu }).result();
  t.is(result.released, 10);
  const refusal = start({ plan: evenly(1, 1), ringCapacity: 16, cpu: 4000 });
  if (refusal.ok) return t.fail('started');
  t.is(refusal.code, 'EINVAL');
  t.regex(refusal.hint, /CPU 4000 does not exist/);
});

test('misuse throws and says what is wanted', (t) => {
  const plan = evenly(2, 1);
  const range: [Partial<PacerOptions>, RegExp][] = [
    [{ plan: Float64Array.of(5, 4) }, /plan\[1\] is 4 after 5/],
    [{ plan: Float64Array.of(Number.NaN) }, /plan\[0\] is NaN/],
    [{ plan: Float64Array.of(-1) }, /from 0/],
    [{ plan: Float64Array.of(Number.POSITIVE_INFINITY) }, /finite/],
    [{ ringCapacity: 8 }, /from 16/],
    [{ ringCapacity: 100 }, /power of two, for example 128/],
    [{ t0Ns: -1 }, /t0Ns/],
    [{ t0Ns: Number.NaN }, /t0Ns/],
    [{ spinNs: -1 }, /spinNs/],
    [{ cpu: -1 }, /cpu/],
  ];
  for (const [options, message] of range) {
    t.throws(() => start({ plan, ringCapacity: 16, ...options }), { instanceOf: RangeError, message });
  }
  const type: [unknown, RegExp][] = [
    [null, /object of options/],
    [{ plan: [1, 2], ringCapacity: 16 }, /Float64Array/],
    [{ plan, ringCapacity: '16' }, /not a string/],
    [{ plan }, /ringCapacity/],
    [{ plan, ringCapacity: 16, fifo: 1 }, /true or false/],
    [{ plan, ringCapacity: 16, rate: 5 }, /no option "rate"/],
  ];
  for (const [options, message] of type) {
    t.throws(() => start(options as PacerOptions), { instanceOf: TypeError, message });
  }
  t.throws(() => new Ring(new SharedArrayBuffer(100)), { instanceOf: TypeError, message: /ring of a pacer/ });
  t.throws(() => new Ring(new ArrayBuffer(1024) as never), { instanceOf: TypeError });
});
