// What it teaches: params make one benchmark per combination, and the result is returned. A result that nobody uses is work
// that the optimiser may delete; a result that is returned has to be computed. The seed comes in as state, not as a constant.
// 1024 rounds are 16 times the work of 64, so the scores should differ by about that: check your numbers like this.
import { suite } from 'tscope';

export default suite('Hash', {
  params: { seed: [7, 42], rounds: [64, 1024] },
  benchmarks: {
    mix({ seed, rounds }) {
      let value = seed;
      for (let i = 0; i < rounds; i++) {
        value = Math.imul(value, 31) + i;
        value = (value << 5) | (value >>> 27);
      }
      return value;
    },
  },
});
