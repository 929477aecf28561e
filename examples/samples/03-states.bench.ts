// 03: who shares what. `setup` runs on every thread, so its state belongs to one thread and needs no protection. `shared` runs once
// per fork; threads of JavaScript share no objects, so what it returns is copied to each, except the memory of a SharedArrayBuffer,
// which is one for all. Sharing costs: with two threads the shared counter is slower than the private one.
import { suite } from 'tscope';

export default suite('States', {
  threads: 2,
  shared: () => ({ memory: new SharedArrayBuffer(8), limit: 1000 }),
  setup: (_params, { memory, limit }) => ({ everybodys: new Int32Array(memory), mine: new Int32Array(2), limit }),
  benchmarks: {
    private: ({ mine }) => Atomics.add(mine, 0, 1),
    shared: ({ everybodys }) => Atomics.add(everybodys, 0, 1),
  },
});
