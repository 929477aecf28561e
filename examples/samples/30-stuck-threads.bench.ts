// 30: a thread that waits for something that may never come. There are no interrupts in JavaScript: what blocks must give up by itself
// and look at `control.stop`, as `take` does. What never looks is ended when its `timeout` is over; its trial fails with a
// sentence that names the thread, and the other trials go on.
import { suite } from 'tscope';

export default suite('StuckThreads', {
  mode: 'thrpt',
  timeout: '10s',
  shared: () => new SharedArrayBuffer(4),
  setup: (_params, memory) => ({ items: new Int32Array(memory) }),
  benchmarks: {
    put({ items }) {
      Atomics.add(items, 0, 1);
      return Atomics.notify(items, 0, 1);
    },
    take({ items }, { control }) {
      for (;;) {
        const count = Atomics.load(items, 0);
        if (count > 0 && Atomics.compareExchange(items, 0, count, count - 1) === count) return count;
        if (control.stop) return -1;
        // At most 5 ms asleep at a time.
        if (count === 0) Atomics.wait(items, 0, 0, 5);
      }
    },
  },
  groups: { queue: { put: 1, take: 1 } },
});
