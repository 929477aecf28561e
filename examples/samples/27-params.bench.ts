// 27: params make one benchmark per combination. They keep their types (numbers, strings, booleans, null), `where` leaves out what
// makes no sense, and the command line may name others: -p size=10,1000. Strings must be among the declared ones, so that a typing
// error is not measured.
import { suite } from 'tscope';

export default suite('Params', {
  params: { kind: ['array', 'set'], size: [4, 256, 16_384], hit: [true, false] },
  where: ({ size, hit }) => hit || size < 1000,
  setup({ kind, size, hit }) {
    const values = Array.from({ length: size }, (_, i) => i);
    return { array: values, set: new Set(values), useSet: kind === 'set', key: hit ? size - 1 : -1 };
  },
  benchmarks: {
    contains: ({ array, set, useSet, key }) => (useSet ? set.has(key) : array.includes(key)),
  },
});
