// 37: memory is read in lines of 64 bytes, and what lies next is fetched ahead. Walking a matrix along its rows uses all of a line;
// walking down its columns uses four bytes of each and waits for the next one. Same numbers, same sum, several times the time:
// a benchmark on a small matrix, or along the rows, is `wrong` about code that walks down the columns of a large one.
import { suite } from 'tscope';

const SIDE = 2048;

export default suite('CacheAccess', {
  opsPerInvocation: SIDE * SIDE,
  setup: () => ({ matrix: Int32Array.from({ length: SIDE * SIDE }, (_, i) => i) }),
  benchmarks: {
    wrong({ matrix }) {
      let sum = 0;
      for (let row = 0; row < SIDE; row++)
        for (let column = 0; column < SIDE; column++) sum = (sum + matrix[row * SIDE + column]!) | 0;
      return sum;
    },
    right({ matrix }) {
      let sum = 0;
      for (let column = 0; column < SIDE; column++)
        for (let row = 0; row < SIDE; row++) sum = (sum + matrix[row * SIDE + column]!) | 0;
      return sum;
    },
  },
});
