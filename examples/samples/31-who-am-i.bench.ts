// 31: a benchmark can ask how it is run. `thread` tells index, count and group; params come to setup. Use it to give each thread its
// own part of the data, as here, rather than to do something else than the other threads (that is what groups are for).
import { suite } from 'tscope';

export default suite('WhoAmI', {
  params: { size: [1 << 16] },
  threads: 2,
  shared({ size }) {
    const values = new Float64Array(new SharedArrayBuffer(8 * size));
    values.forEach((_, i) => {
      values[i] = i;
    });
    return values;
  },
  setup: (_params, values) => ({ values }),
  benchmarks: {
    sumOfMyPart({ values }, { thread }) {
      const length = Math.floor(values.length / thread.count);
      let sum = 0;
      for (let i = thread.index * length, end = i + length; i < end; i++) sum += values[i]!;
      return sum;
    },
  },
});
