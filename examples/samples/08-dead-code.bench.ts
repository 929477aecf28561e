// 08: a result that nobody uses need not be computed, and V8 does not. `wrong` looks like work and costs as much as an empty body,
// which is reported as [eliminated]; `wrongToo` costs little more, for reaching into its state, and is reported as [nothing-returned].
// Returning the result is enough to make it count.
import { suite } from 'tscope';

/** Sixteen steps of a hash, each depending on the one before. */
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

const fixed = 12345;

export default suite('DeadCode', {
  setup: () => ({ seed: fixed }),
  benchmarks: {
    empty() {},
    wrong() {
      mix(fixed);
    },
    wrongToo({ seed }) {
      mix(seed);
    },
    right({ seed }) {
      return mix(seed);
    },
  },
});
