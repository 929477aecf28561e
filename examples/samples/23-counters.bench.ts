// 23: counters of your own. They are zeroed before each iteration, count measured calls only, and are printed below the score:
// `operations` as a rate or a time of their own kind of op, `events` as a sum. Here a cache answers most calls; the table shows
// how long a hit and a miss are apart from each other, and how many misses there were.
import { suite } from 'tscope';

export default suite('Counters', {
  counters: { hits: 'operations', misses: 'events' },
  setup: () => ({ cache: new Map<number, number>(), key: 0 }),
  benchmarks: {
    lookUp(state, { counters }) {
      // 127 keys in turn, of which 100 fit.
      const key = (state.key = (state.key + 1) % 127);
      const known = state.cache.get(key);
      if (known !== undefined) {
        counters.hits++;
        return known;
      }
      counters.misses++;
      const value = Math.sqrt(key);
      if (state.cache.size < 100) state.cache.set(key, value);
      return value;
    },
  },
});
