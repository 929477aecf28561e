// 35: why is it as fast as it is? The forks are ordinary node processes, so node's own tools work on them:
//   tscope run 35-profilers.bench.ts -f 1 --node-args=--cpu-prof           leaves a .cpuprofile in this folder
//   tscope run 35-profilers.bench.ts -f 1 --node-args=--trace-deopt -v EXTRA   prints why code was thrown away
//   tscope run 35-profilers.bench.ts -f 1 --node-args=--perf-basic-prof    lets `perf` name JavaScript functions
// A profiled run is slower: look at its profile, not at its score. What needs no profiler is in every result: the tier of
// the loop and the body, garbage collections, gaps and context switches of each iteration.
import { suite } from 'tscope';

export default suite('Profilers', {
  setup: () => ({ words: 'the quick brown fox jumps over the lazy dog'.split(' ') }),
  benchmarks: {
    countLetters({ words }) {
      const counts = new Map<string, number>();
      for (const word of words) for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      return counts;
    },
  },
});
