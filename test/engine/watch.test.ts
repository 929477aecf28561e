/** The watch on taken time by itself, on a clock of half a nanosecond: which chunks are looked at, and what is left out of them. */
import test from 'ava';
import { InterferenceWatch } from '#lib/engine/interference.js';

/** A kernel and a clock that a test moves; 2 ticks are 1 ns. */
function world() {
  const slot = new Float64Array(1);
  const state = { wallNs: 5e9, cpuNs: 1e9, involuntary: 3, voluntary: 2, waitedNs: 7e6 };
  const clock = { slot, nsPerTick: 0.5, read: () => void (slot[0] = 2 * state.wallNs) };
  const usage = (into: Float64Array) => into.set([state.involuntary, state.voluntary, 0, 0, state.cpuNs]);
  const watch = new InterferenceWatch({ usage, waited: () => state.waitedNs }, clock as never);
  return {
    watch,
    tick: () => 2 * state.wallNs,
    run(ns: number) {
      state.wallNs += ns;
      state.cpuNs += ns;
    },
    away(ns: number) {
      state.wallNs += ns;
      state.waitedNs += ns;
      state.involuntary++;
    },
    stolen(ns: number) {
      state.wallNs += ns;
    },
  };
}

test('a chunk is long from twice the usual and 10 us more on, or from 1 ms on', (t) => {
  const { watch } = world();
  watch.expect(100);
  watch.begin();
  // 500 invocations usually take 50 us.
  t.deepEqual(
    [100_000, 100_001].map((ns) => watch.isLong(ns, 500)),
    [false, true],
  );
  // 50 usually take 5 us: twice that is nothing yet.
  t.deepEqual(
    [11_000, 15_000, 15_001].map((ns) => watch.isLong(ns, 50)),
    [false, false, true],
  );
  t.deepEqual(
    [999_999, 1_000_000].map((ns) => watch.isLong(ns, 1e6)),
    [false, true],
  );
});

test('where nothing is known, the quickest chunk of the iteration tells what is usual', (t) => {
  const { watch } = world();
  watch.expect(null);
  watch.begin();
  t.false(watch.isLong(900_000, 500), 'the first has nothing to be compared with');
  t.false(watch.isLong(50_000, 500));
  t.true(watch.isLong(100_001, 500));
  t.false(watch.isLong(100_000, 500));
  t.true(watch.isLong(200_001, 1000), 'per invocation');
  t.false(watch.isLong(200_000, 1000));
  t.false(watch.isLong(40_000, 500));
  t.true(watch.isLong(80_001, 500), 'a quicker one is the measure from then on');
  watch.begin();
  t.false(watch.isLong(900_000, 500), 'another iteration starts anew');
  watch.expect(100);
  t.true(watch.isLong(900_000, 500));
});

test('what was taken in chunks is left out, with its cause and its place; what was taken in a pause is not', (t) => {
  const { watch, tick, run, away, stolen } = world();
  t.is(watch.pauseTicks, 40_000);
  t.is(watch.begin(), tick());
  run(1e6);
  away(3e6);
  run(1e6);
  t.is(watch.look(5e6, tick()), tick());
  run(1e6);
  stolen(2e6);
  watch.look(8e6, tick());
  // A pause of 4 ms after the chunk, 3 of which the kernel gave to others.
  run(1e6);
  const end = tick();
  run(1e6);
  away(3e6);
  watch.look(9e6, end);
  t.deepEqual(watch.result(), {
    excludedNs: 5e6,
    excludedChunks: 2,
    log: [
      { atNs: 5e6, ns: 3e6, cause: 'switch' },
      { atNs: 8e6, ns: 2e6, cause: 'stolen' },
    ],
  });
  // Of 5 ms away 1 ms fell into the pause.
  run(1e6);
  away(4e6);
  const chunk = tick();
  away(1e6);
  watch.look(14e6, chunk);
  t.is(watch.result().excludedNs, 9e6);
  // Never more than the chunks took.
  away(9e6);
  watch.look(16e6, tick());
  t.deepEqual([watch.result().excludedNs, watch.result().excludedChunks], [11e6, 4]);

  watch.begin();
  t.deepEqual(watch.result(), { excludedNs: 0, excludedChunks: 0, log: [] });
  away(2e6);
  watch.look(2e6, tick());
  t.deepEqual(watch.result().log, [{ atNs: 2e6, ns: 2e6, cause: 'switch' }]);
});

test('what was taken before an iteration is none of its own, and the log ends after 32', (t) => {
  const { watch, tick, run, away } = world();
  watch.begin();
  away(50e6);
  watch.begin();
  run(2e6);
  watch.look(2e6, tick());
  t.is(watch.result().excludedNs, 0);
  for (let i = 0; i < 40; i++) {
    away(1e6);
    watch.look(3e6 + i * 1e6, tick());
  }
  const { log, excludedNs, excludedChunks } = watch.result();
  t.deepEqual([log.length, excludedNs, excludedChunks], [32, 40e6, 40]);
});

test('a kernel that tells nothing makes nothing visible', (t) => {
  const clock = { slot: new Float64Array(1), nsPerTick: 1, read: () => undefined } as never;
  const seen = (usage: boolean, waited: boolean) =>
    new InterferenceWatch({ usage: usage ? () => undefined : null, waited: waited ? () => 0 : null }, clock).visible;
  t.deepEqual([seen(true, true), seen(true, false), seen(false, true), seen(false, false)], [true, true, true, false]);
});
