// 21: time that passes on purpose. `consumeCPU(tokens)` burns CPU in proportion to its argument and touches no memory: use it as
// a stand-in for work of known length, for example between two accesses that contend. What a token costs is measured
// in every fork that uses it. The first few tokens are cheaper than the rest, since the CPU overlaps calls that short.
import { suite } from 'tscope';

export default suite('ConsumeCpu', {
  params: { tokens: [0, 1, 10, 100, 1000] },
  benchmarks: {
    consume: ({ tokens }, { blackhole }) => blackhole.consumeCPU(tokens),
  },
});
