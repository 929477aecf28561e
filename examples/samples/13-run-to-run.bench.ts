// 13: two processes that run the same code differ: memory is laid out anew, hashes are seeded anew, the optimiser decides at another
// moment. Here the difference is made on purpose, each fork drawing its own speed, as an unlucky layout would. Any number
// of iterations in one fork agree with each other and say nothing about the next fork, so intervals are made of forks: compare the
// error of `-f 10` with that of one fork and many iterations, which is not given at all.
import { suite } from 'tscope';

export default suite('RunToRun', {
  unit: 'us',
  setup: () => ({ tokens: 500 + Math.floor(Math.random() * 500) }),
  benchmarks: {
    unlucky: ({ tokens }, { blackhole }) => blackhole.consumeCPU(tokens),
    steady: (_state, { blackhole }) => blackhole.consumeCPU(750),
  },
});
