// 15: threads that do different things at once. A group names its methods and how many threads each gets; all of them start and stop
// together. The score of the group is over all its threads; each method has its own beside it (`Asymmetric.queue:put`).
import { suite } from 'tscope';

const SLOTS = 1024;

export default suite('Asymmetric', {
  mode: 'thrpt',
  // [written, read, slots...]: a ring of numbers for one writer.
  shared: () => new SharedArrayBuffer(4 * (2 + SLOTS)),
  setup: (_params, memory) => ({ ring: new Int32Array(memory) }),
  benchmarks: {
    put({ ring }) {
      const at = Atomics.load(ring, 0);
      if (at - Atomics.load(ring, 1) >= SLOTS) return false;
      Atomics.store(ring, 2 + (at % SLOTS), at);
      Atomics.store(ring, 0, (at + 1) | 0);
      return true;
    },
    take({ ring }) {
      const at = Atomics.load(ring, 1);
      if (at === Atomics.load(ring, 0)) return -1;
      const value = Atomics.load(ring, 2 + (at % SLOTS));
      return Atomics.compareExchange(ring, 1, at, (at + 1) | 0) === at ? value : -1;
    },
  },
  groups: { queue: { put: 1, take: 1 } },
});
