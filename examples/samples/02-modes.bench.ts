// 02: four questions about one benchmark. thrpt: how many ops in a time? avgt: how long is an op on average? (The one is the other
// turned upside down.) sample: how are the times of single ops spread? ss: how long is the very first call of a fresh process?
// `mode: 'all'` asks all of them. An asynchronous benchmark is awaited, in the same modes.
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'tscope';

export default suite('Modes', {
  mode: 'all',
  setup: () => ({ words: Array.from({ length: 2000 }, (_, i) => `word${(i * 7919) % 2000}`) }),
  benchmarks: {
    sort: ({ words }) => words.toSorted(),
    eventLoopTurn: () => turn(),
  },
});
