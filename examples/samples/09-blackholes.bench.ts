// 09: one result is returned; several need the black hole. `wrong` returns the second and loses the first, which is not computed.
// `combined` keeps both by adding them, which costs an addition; `blackhole` keeps each as it is. What consume() costs is
// measured in every fork that uses it and kept in the result file (`overhead.blackhole`).
import { suite } from 'tscope';

export default suite('Blackholes', {
  setup: () => ({ a: 1.5, b: 2.5 }),
  benchmarks: {
    one: ({ a }) => Math.log(a),
    wrong: ({ a, b }) => {
      Math.log(a);
      return Math.log(b);
    },
    combined: ({ a, b }) => Math.log(a) + Math.log(b),
    blackhole: ({ a, b }, { blackhole }) => {
      blackhole.consume(Math.log(a));
      blackhole.consume(Math.log(b));
    },
  },
});
