// What it teaches: setup builds the state once per fork, outside the measurement, and its type flows into the benchmarks. The best
// algorithm depends on the size, so a comparison needs a range of sizes: on a few elements the linear search can win. The key
// is the last element, the worst case of the linear search; `baseline` marks what the other is compared with.
import { suite } from 'tscope';

export default suite('Lookup', {
  params: { size: [16, 1024, 65_536] },
  setup({ size }) {
    const values = Int32Array.from({ length: size }, (_, i) => i * 2);
    return { values, key: values[size - 1]! };
  },
  benchmarks: {
    linearSearch: {
      baseline: true,
      run({ values, key }) {
        for (let i = 0; i < values.length; i++) if (values[i] === key) return i;
        return -1;
      },
    },
    binarySearch({ values, key }) {
      let low = 0;
      let high = values.length - 1;
      while (low <= high) {
        const middle = (low + high) >>> 1;
        const value = values[middle]!;
        if (value === key) return middle;
        if (value < key) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    },
  },
});
