// 32: a profile mixed on purpose. In a program that uses a function with many kinds of data, its speed alone with one kind is not what
// will be seen. `warmupMode: 'bulk_indi'` (or -wm bulk_indi) runs the other benchmarks of the suite first and measures each both ways;
// `bulk` runs all of them first and measures each only so.
// Sample 12 shows a case in which the two differ; here they hardly should, because parse functions of V8 itself learn nothing.
import { suite } from 'tscope';

export default suite('BulkWarmup', {
  warmupMode: 'bulk_indi',
  setup: () => ({ numbers: JSON.stringify([1, 2, 3]), words: JSON.stringify(['a', 'b']), object: '{"a":{"b":null}}' }),
  benchmarks: {
    numbers: ({ numbers }) => JSON.parse(numbers),
    words: ({ words }) => JSON.parse(words),
    object: ({ object }) => JSON.parse(object),
  },
});
