// 11: do not write the loop yourself. What does not change inside a loop is moved in front of it, so `wrong` computes the hash once
// and scores a thousandth of a call as if it were one. The harness already loops, with the barriers that keep each call alive.
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

export default suite('Loops', {
  setup: () => ({ seed: 12345 }),
  benchmarks: {
    right: ({ seed }) => mix(seed),
    wrong: {
      opsPerInvocation: 1000,
      run({ seed }) {
        let last = 0;
        for (let i = 0; i < 1000; i++) last = mix(seed);
        return last;
      },
    },
  },
});
