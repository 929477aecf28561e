// 20: options belong beside the code they are about. Those of a benchmark go before those of its suite; a config file, the
// environment (TSCOPE_ITERATIONS=3) and the command line (-i 3) go before both, one option at a time. The result file keeps
// every value with the place it came from.
import { suite } from 'tscope';

export default suite('Options', {
  mode: 'avgt',
  unit: 'us',
  forks: 5,
  iterations: 3,
  iterationTime: '50ms',
  setup: () => ({ text: JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}` }))) }),
  benchmarks: {
    parse: ({ text }) => JSON.parse(text),
    parseRate: { mode: 'thrpt', unit: 's', iterations: 5, run: ({ text }) => JSON.parse(text) },
  },
});
