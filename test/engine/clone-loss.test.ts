import test from 'ava';
import { classInstance, cloneLoss } from '#lib/engine/clone-loss.js';
import { fixture, runFork } from './support/run-fork.js';

class Queue {
  readonly items = [1];
}

test('plain data, buffers and collections of them arrive whole', (t) => {
  const cyclic: Record<string, unknown> = { list: [1, { two: 2 }], nothing: null, text: 'x' };
  cyclic.self = cyclic;
  const whole = [
    undefined,
    1,
    cyclic,
    Object.create(null),
    new SharedArrayBuffer(8),
    new Float64Array(2000),
    new Map([[{ a: 1 }, new Set([new Date(0), /x/])]]),
    new TypeError('kept'),
    new Array(5000).fill(0),
  ];
  for (const value of whole) t.is(classInstance(value), null);
  t.is(cloneLoss(cyclic), null);
});

test('the first class instance is named with its place; subclasses of built-ins lose theirs, too', (t) => {
  t.deepEqual(classInstance(new Queue()), { path: 'shared', name: 'Queue' });
  t.deepEqual(classInstance({ a: [1, { queue: new Queue() }] }), { path: 'shared.a[1].queue', name: 'Queue' });
  t.deepEqual(classInstance(new Map([[1, new Queue()]])), { path: 'a value of shared', name: 'Queue' });
  t.deepEqual(classInstance({ bytes: Buffer.from('x') }), { path: 'shared.bytes', name: 'Buffer' });
  t.deepEqual(classInstance(Object.create({ inherited: 1 })), { path: 'shared', name: 'Object' });
  t.regex(
    cloneLoss({ queue: new Queue() })!.message,
    /^shared\.queue is an instance of Queue, .* make instances in setup/,
  );
});

test('a fork with threads says so, one without shares the instance itself', async (t) => {
  const plan = { file: fixture('engine/fixtures/threads.mjs'), suite: 'Instance', benchmark: 'b', iterationTimeMs: 2 };
  const told = async (threads: number) => {
    const { code, findings } = await runFork({ ...plan, threads });
    t.is(code, 0);
    return findings.filter(({ id }) => id === 'shared-plain').length;
  };
  t.is(await told(2), 1);
  t.is(await told(1), 0);
});
