// 08: a result that nobody uses need not be computed, and V8 does not. `wrong` looks like work and costs as much as `empty`, which is
// reported as [eliminated]; `wrongToo` costs little more, for reaching into its state, and is reported as [nothing-returned].
// Returning the result is enough to make it count.
import { suite } from 'tscope';

const fixed = 1.2345;

export default suite('DeadCode', {
  setup: () => ({ x: fixed }),
  benchmarks: {
    empty() {},
    wrong() {
      Math.exp(fixed);
    },
    wrongToo({ x }) {
      Math.exp(x);
    },
    right({ x }) {
      return Math.exp(x);
    },
  },
});
