import test from 'ava';
import { usage } from '#lib/cpu/index.js';
import { openRunDelay, secondNumber } from '#lib/cpu/run-delay.js';

test('the second number of a line of bytes', (t) => {
  const of = (text: string) => secondNumber(Buffer.from(text), text.length);
  t.is(of('180718333 327444879 117\n'), 327_444_879);
  t.is(of('0 0 1\n'), 0);
  t.is(of('1 12345678901234 1'), 12_345_678_901_234);
  for (const text of ['', '12', '12 ', '12 x', ' ']) t.is(of(text), Number.NaN, JSON.stringify(text));
  // Bytes left over from a longer text are not read.
  t.is(secondNumber(Buffer.from('7 8999'), 3), 8);
});

const counters = new Float64Array(5);
usage(counters);
const known = Number.isNaN(counters[4]) ? test.skip : test.serial;

/** Busy for `ms` of wall time. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

known('CPU time is exact to the moment of the call, not to the tick of the kernel', (t) => {
  let moved = 0;
  for (let i = 0; i < 200; i++) {
    usage(counters);
    const before = counters[4]!;
    spin(0.2);
    usage(counters);
    if (counters[4]! - before > 50_000) moved++;
  }
  // The kernel brings its coarse times up to date at its tick only: they would move in 1 of 5 to 1 of 20 of these.
  t.true(moved > 150, `${moved} of 200`);
});

const read = openRunDelay();
(read ? known : test.skip)(
  'wall time is CPU time, waiting for a CPU, and nothing else for a thread that does not sleep',
  (t) => {
    const shares: number[] = [];
    for (let i = 0; i < 20; i++) {
      usage(counters);
      const [voluntary, cpu] = [counters[1]!, counters[4]!];
      const waited = read!();
      const begin = performance.now();
      spin(10);
      const wall = (performance.now() - begin) * 1e6;
      const delay = read!() - waited;
      usage(counters);
      if (counters[1]! === voluntary) shares.push((counters[4]! - cpu + delay) / wall);
    }
    shares.sort((a, b) => a - b);
    t.true(shares.length > 5);
    const middle = shares[shares.length >> 1]!;
    t.true(middle > 0.95 && middle < 1.05, `${middle}`);
  },
);
