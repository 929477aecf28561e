// 38: work that destroys its own input. The first sort leaves a sorted array, and all later calls sort that: `sortedAlready` is what
// is measured by mistake. `copied` makes a fresh copy inside the call and pays for it; `copyAlone` tells how much, so that
// the difference of the two is the sort. Sample 07 shows what the same costs with a fixture around each invocation.
import { suite } from 'tscope';

const LENGTH = 1024;

export default suite('PerInvocationSetup', {
  unit: 'us',
  setup() {
    const source = Float64Array.from({ length: LENGTH }, (_, i) => (i * 7919) % LENGTH);
    return { source, work: source.slice() };
  },
  benchmarks: {
    sortedAlready: ({ work }) => work.sort(),
    copied: ({ source, work }) => {
      work.set(source);
      return work.sort();
    },
    copyAlone: ({ source, work }) => {
      work.set(source);
      return work;
    },
  },
});
