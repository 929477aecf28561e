// 10: a result that depends on constants only can be computed once, when the code is compiled. Both `wrong` ones return their result
// and are still gone: a literal, and a variable of the file that never changes. They are reported as [eliminated]. What comes out of
// the state is different for all that V8 knows: the harness reads it through an index that is only known at run time.
import { suite } from 'tscope';

const fixed = 12345;

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

export default suite('ConstantFold', {
  setup: () => ({ seed: fixed }),
  benchmarks: {
    wrongLiteral: () => mix(12345),
    wrongCaptured: () => mix(fixed),
    right: ({ seed }) => mix(seed),
  },
});
