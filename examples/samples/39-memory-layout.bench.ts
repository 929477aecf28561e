// 39: how values lie in memory. A typed array holds the numbers themselves; an array of whole numbers holds small integers without
// boxes; one object among them, or a value that is no small integer in an array made for anything, puts each number into a box
// on the heap; a hole makes every read look twice. The sums below are equal, their times are not.
import { suite } from 'tscope';

const LENGTH = 4096;

function boxes(): unknown[] {
  const values: unknown[] = [{}];
  for (let i = 0; i < LENGTH; i++) values[i] = i + 0.5;
  return values;
}

export default suite('MemoryLayout', {
  opsPerInvocation: LENGTH,
  setup() {
    const holey = new Array<number>(LENGTH);
    for (let i = 0; i < LENGTH; i++) holey[i] = i;
    return {
      typed: Float64Array.from({ length: LENGTH }, (_, i) => i),
      packed: Array.from({ length: LENGTH }, (_, i) => i),
      holey,
      boxed: boxes() as number[],
    };
  },
  benchmarks: {
    typed({ typed }) {
      let sum = 0;
      for (let i = 0; i < typed.length; i++) sum += typed[i]!;
      return sum;
    },
    packed({ packed }) {
      let sum = 0;
      for (let i = 0; i < packed.length; i++) sum += packed[i]!;
      return sum;
    },
    holey({ holey }) {
      let sum = 0;
      for (let i = 0; i < holey.length; i++) sum += holey[i]!;
      return sum;
    },
    boxed({ boxed }) {
      let sum = 0;
      for (let i = 0; i < boxed.length; i++) sum += boxed[i]!;
      return sum;
    },
  },
});
