// 29: state made of states. Setup is an ordinary function, so parts that depend on each other are built by functions that call each
// other, in the order they need, and are taken down in the opposite one. What all threads can use is made once in `shared`.
import { suite } from 'tscope';

const makeTable = (size: number) => Int32Array.from({ length: size }, (_, i) => (i * 31) & 0xffff);
const makeIndex = (table: Int32Array) => new Map([...table].map((value, at) => [value, at]));
const makeQueries = (table: Int32Array, count: number) =>
  Array.from({ length: count }, (_, i) => table[(i * 7) % table.length]!);

export default suite('StateOfStates', {
  params: { size: [1000] },
  shared: ({ size }) => makeTable(size),
  setup(_params, table) {
    const index = makeIndex(table);
    return { table, index, queries: makeQueries(table, 64), next: 0 };
  },
  benchmarks: {
    query(state) {
      const key = state.queries[state.next++ & 63]!;
      return state.index.get(key);
    },
  },
});
