// 36: the CPU learns from your test data. The same loop over the same numbers takes several times as long when they are shuffled,
// because whether the branch is taken can no longer be foreseen. `wrong` is the number of somebody whose generator
// happened to produce sorted data, or whose data are few: a modern CPU learns some thousand of them by heart (`few` are shuffled as
// well). `right` is what many unsorted data will see. Data must look like those of production, in their order and their number.
import { suite } from 'tscope';

const LENGTH = 1 << 20;
const FEW = 1 << 10;

function random(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

function sumOfLarge(values: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value >= 128) sum = (Math.imul(sum, 3) + value) | 0;
  }
  return sum;
}

export default suite('BranchPrediction', {
  opsPerInvocation: LENGTH,
  setup() {
    const next = random(42);
    const shuffled = Uint8Array.from({ length: LENGTH }, () => next() & 255);
    return { shuffled, sorted: shuffled.toSorted(), few: shuffled.slice(0, FEW) };
  },
  benchmarks: {
    wrong: ({ sorted }) => sumOfLarge(sorted),
    few: { opsPerInvocation: FEW, run: ({ few }) => sumOfLarge(few) },
    right: ({ shuffled }) => sumOfLarge(shuffled),
  },
});
