// 10: a result that depends on constants only can be computed once, when the code is compiled. Both `wrong` ones return their result
// and are still gone: a literal, and a variable of the file that never changes. They are reported as [eliminated]. What comes out of
// the state is different for all that V8 knows: the harness reads it through an index that is only known at run time.
import { suite } from 'tscope';

const fixed = 1.2345;

export default suite('ConstantFold', {
  setup: () => ({ x: fixed }),
  benchmarks: {
    wrongLiteral: () => Math.exp(1.2345),
    wrongCaptured: () => Math.exp(fixed),
    right: ({ x }) => Math.exp(x),
  },
});
