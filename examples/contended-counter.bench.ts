// What it teaches: several threads that add to one cell of shared memory wait for each other, because a cache line can be owned
// by one core at a time; a cell per thread ("striped") removes the waiting, if the cells are far enough apart. In thrpt the score is
// the sum over threads, so twice the threads should give twice the score, and do not where memory is contended.
// `shared` runs once per fork and gives all threads the same SharedArrayBuffer; `setup` runs on each thread and wraps it.
import { suite } from 'tscope';

/** Int32 cells in 128 bytes: two cache lines of 64 bytes, which some CPUs fetch in pairs. */
const STRIDE = 32;
const MAX_THREADS = 64;

const declare = (name: string, threads: number) =>
  suite(name, {
    mode: 'thrpt',
    unit: 's',
    threads,
    shared: () => new SharedArrayBuffer(4 * STRIDE * MAX_THREADS),
    setup: (_params, memory) => ({ cells: new Int32Array(memory) }),
    benchmarks: {
      oneCell: ({ cells }) => Atomics.add(cells, 0, 1),
      striped: ({ cells }, { thread }) => Atomics.add(cells, thread.index * STRIDE, 1),
    },
  });

export default [declare('Counter1', 1), declare('Counter2', 2)];
