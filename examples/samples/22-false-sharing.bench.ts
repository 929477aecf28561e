// 22: two threads that write to different variables on one cache line slow each other down as if they shared them. Objects of
// JavaScript are never shared, so this happens in SharedArrayBuffers only: `close` uses neighbouring cells, `apart` cells that are
// 128 bytes from each other. On one thread, or where both run on one core, there is no difference.
import { suite } from 'tscope';

const INTS_APART = 32;

export default suite('FalseSharing', {
  mode: 'thrpt',
  threads: 2,
  shared: () => new SharedArrayBuffer(4 * INTS_APART * 64),
  setup: (_params, memory) => ({ cells: new Int32Array(memory) }),
  benchmarks: {
    close: ({ cells }, { thread }) => Atomics.add(cells, thread.index, 1),
    apart: ({ cells }, { thread }) => Atomics.add(cells, thread.index * INTS_APART, 1),
  },
});
