// 34: when a benchmark must loop (over the elements it is about), every turn needs a sink. `wrong` drops the results: the loop stays
// and the work in it goes. `right` gives each result to the black hole. `alsoRight` adds them up, which is enough here
// because the sum needs every one of them. A loop with 16 elements should cost 16 times one, which the two sizes let you check.
import { suite } from 'tscope';

function mix(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) + 1;
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39) + 2;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) + 3;
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39) + 4;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) + 5;
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39) + 6;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) + 7;
  return Math.imul(h ^ (h >>> 12), 0x297a2d39) + 8;
}

export default suite('SafeLooping', {
  params: { length: [16, 256] },
  setup: ({ length }) => ({ values: Int32Array.from({ length }, (_, i) => i * 31) }),
  benchmarks: {
    wrong({ values }) {
      for (let i = 0; i < values.length; i++) mix(values[i]!);
    },
    right({ values }, { blackhole }) {
      for (let i = 0; i < values.length; i++) blackhole.consume(mix(values[i]!));
    },
    alsoRight({ values }) {
      let sum = 0;
      for (let i = 0; i < values.length; i++) sum = (sum + mix(values[i]!)) | 0;
      return sum;
    },
  },
});
