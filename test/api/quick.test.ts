import test from 'ava';
import { QuickError, type QuickOptions, type QuickRun, quickRuns, quickSummary } from '#lib/api/quick.js';
import { quickLine, quickTable } from '#lib/report/quick.js';

/** A clock that moves only when told to. */
function fake() {
  let ns = 0;
  return { pass: (by: number) => (ns += by), now: () => ns };
}

const options = (now: () => number, over: Partial<QuickOptions> = {}): QuickOptions => ({
  warmups: 2,
  runs: 3,
  steps: 10,
  now,
  ...over,
});

test('a call is timed as a whole; warm-ups are told apart and do not count', async (t) => {
  const clock = fake();
  const told: QuickRun[] = [];
  let calls = 0;
  const fn = (steps: number) => clock.pass(steps * ++calls);
  const runs = await quickRuns(fn, options(clock.now, { onRun: (run) => told.push(run) }));
  t.deepEqual(
    told.map(({ kind, index, time }) => [kind, index, time]),
    [
      ['warm-up', 1, 10],
      ['warm-up', 2, 20],
      ['run', 1, 30],
      ['run', 2, 40],
      ['run', 3, 50],
    ],
  );
  t.deepEqual(quickSummary(runs), { average: 40, minimum: 30, maximum: 50 });
  t.is(quickSummary([]), null);
});

test('with the timer only its spans count, and they add up', async (t) => {
  const clock = fake();
  const [run] = await quickRuns(
    (_, timer) => {
      clock.pass(1000);
      timer.start();
      clock.pass(5);
      timer.stop();
      timer.start();
      clock.pass(7);
      timer.stop();
      return timer.time;
    },
    options(clock.now, { warmups: 0, runs: 1 }),
  );
  t.deepEqual([run!.time, run!.timed, run!.returned], [12, 'timer', 12]);
});

test('a promise is awaited', async (t) => {
  const clock = fake();
  const slow = async () => {
    await null;
    clock.pass(99);
    return 'late';
  };
  const [run] = await quickRuns(slow, options(clock.now, { warmups: 0, runs: 1 }));
  t.deepEqual([run!.time, run!.returned], [99, 'late']);
});

for (const [title, fn, message] of [
  [
    'a throw',
    () => {
      throw new RangeError('boom');
    },
    /^run 1 failed: RangeError: boom$/,
  ],
  ['a rejection', () => Promise.reject(new Error('late')), /^run 1 failed: Error: late$/],
  [
    'a timer left running',
    (_: number, timer: { start(): void }) => timer.start(),
    /^run 1 failed: the timer was started and not stopped$/,
  ],
  ['stop before start', (_: number, timer: { stop(): void }) => timer.stop(), /stop\(\) was called before start\(\)/],
] as const) {
  test(`${title} names the run`, async (t) => {
    const clock = fake();
    await t.throwsAsync(quickRuns(fn as never, options(clock.now, { warmups: 0 })), {
      instanceOf: QuickError,
      message,
    });
  });
}

test('an abort ends it between two runs', async (t) => {
  const clock = fake();
  const controller = new AbortController();
  const fn = () => controller.abort();
  t.is((await quickRuns(fn, options(clock.now, { warmups: 0, signal: controller.signal }))).length, 1);
});

test('the table gives ns per step and the total in three units', (t) => {
  t.deepEqual(quickTable({ average: 2_500_000, minimum: 1_000_000, maximum: 4_000_000 }, 1000), [
    '         ns/step  total ns  total ms   total s',
    'average     2500   2500000     2.500  0.002500',
    'minimum     1000   1000000     1.000  0.001000',
    'maximum     4000   4000000     4.000  0.004000',
  ]);
  const run: QuickRun = { kind: 'run', index: 3, time: 1_234_567, timed: 'call', returned: 'x'.repeat(100) };
  t.regex(quickLine(run), /^run {7}3 {7}1\.235 ms {3}returned 'x{30}'/);
});
