/** What `tscope init` writes. */

/** The commented example, TypeScript or JavaScript. */
export const exampleText = (typescript: boolean): string => `// Run it: npm run bench
import { suite } from 'tscope';

// A file exports one suite, or an array of suites. Nothing is registered anywhere.
export default suite('Lookup', {
  // Measured once for every value; several params make the cross product.
  params: { size: [16, 1024] },

  // Once per fork (a fresh process), not timed. What it returns is the state that every benchmark gets.
  setup({ size }) {
    const values = Int32Array.from({ length: size }, (_, i) => i * 2);
    return { values, key: values[size - 1]${typescript ? '!' : ''} };
  },

  benchmarks: {
    // The others are compared with the baseline.
    linear: {
      baseline: true,
      // Return the result: work whose result nobody uses is removed by the optimiser.
      run({ values, key }) {
        for (let i = 0; i < values.length; i++) if (values[i] === key) return i;
        return -1;
      },
    },

    binary({ values, key }) {
      let low = 0;
      let high = values.length - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        const value = values[middle]${typescript ? '!' : ''};
        if (value === key) return middle;
        if (value < key) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    },
  },
});
`;

/** The config file. */
export const CONFIG_TEXT = `import { defineConfig } from 'tscope';

// A command line and TSCOPE_* variables override this file; this file overrides what suites say.
export default defineConfig({
  files: ['bench'],
  // forks: 10,              // fresh processes per benchmark: the more, the narrower the interval
  // iterationTime: '100ms', // length of one of the five measured iterations of a fork
});
`;

/** The CI workflow: measures, shows, keeps the result. */
export const WORKFLOW_TEXT = `# Shared runners are noisy neighbours: read verdicts and intervals here, not single numbers.
name: bench
on:
  pull_request:
  workflow_dispatch:
jobs:
  bench:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npm run bench -- --out bench-result.json
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: bench-result
          path: bench-result.json
`;
