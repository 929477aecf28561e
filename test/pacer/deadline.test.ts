import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { hotClock } from '#lib/clock/index.js';
import { loadAddon } from '#lib/native/load.js';
import { type Deadline, type DeadlineOptions, openDeadline } from '#lib/pacer/index.js';

const withAddon = loadAddon().addon ? test.serial : test.serial.skip;

function opened(options: DeadlineOptions = {}): Deadline {
  const deadline = openDeadline(options);
  if (!deadline.ok) throw new Error(`${deadline.message}: ${deadline.hint}`);
  return deadline;
}

function now(): number {
  const { read, slot, nsPerTick } = hotClock();
  read();
  return slot[0]! * nsPerTick;
}

withAddon('a spinning loop sees the flag after its time and never before', async (t) => {
  for (const spinNs of [0, 200_000]) {
    const deadline = opened({ spinNs });
    for (let i = 0; i < 10; i++) {
      const from = now();
      deadline.armIn(1e6);
      while (Atomics.load(deadline.flag, 0) === 0);
      const seen = now();
      const raised = deadline.raised()!;
      t.true(raised.plannedNs >= from + 1e6);
      t.true(raised.raisedNs >= raised.plannedNs - 1);
      t.true(seen >= raised.raisedNs);
    }
    await deadline.close();
  }
});

withAddon('disarmed or moved, the old deadline does not come; a time that has passed comes at once', async (t) => {
  const deadline = opened();
  deadline.armIn(10e6);
  deadline.disarm();
  await sleep(30);
  t.is(deadline.raised(), null);
  deadline.armIn(10e6);
  deadline.armIn(3.6e12);
  await sleep(30);
  t.is(deadline.flag[0], 0);
  deadline.armAt(0);
  while (Atomics.load(deadline.flag, 0) === 0);
  t.is(deadline.raised()!.plannedNs, 0);
  deadline.armIn(3.6e12);
  t.is(deadline.flag[0], 0);
  await deadline.close();
  t.throws(() => deadline.armIn(1), { instanceOf: TypeError, message: /closed/ });
  await deadline.close();
});

withAddon('misuse throws; a CPU that does not exist is refused', async (t) => {
  const deadline = opened();
  for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
    t.throws(() => deadline.armIn(bad), { instanceOf: RangeError, message: /ns from now/ });
    t.throws(() => deadline.armAt(bad), { instanceOf: RangeError });
  }
  t.throws(() => deadline.armIn('5' as never), { instanceOf: TypeError });
  await deadline.close();
  t.throws(() => openDeadline({ spinNs: -1 }), { instanceOf: RangeError });
  t.throws(() => openDeadline({ cpu: 0.5 }), { instanceOf: RangeError });
  t.throws(() => openDeadline({ after: 5 } as never), { instanceOf: TypeError, message: /no option "after"/ });
  if (process.platform !== 'linux') return;
  const refusal = openDeadline({ cpu: 4000 });
  t.false(refusal.ok);
  if (!refusal.ok) t.is(refusal.code, 'EINVAL');
});
