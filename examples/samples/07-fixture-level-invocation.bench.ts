// 07: a fixture around every invocation needs the clock to be read around every invocation, since its own time must not count. For a
// body of 1 ms that is nothing; for one of 50 ns the clock is most of the score, which the finding [invocation-fixtures] says with
// its numbers. Prepare many inputs at once instead (`inputs`), as the second suite does for the same body.
import { suite } from 'tscope';

const shuffled = (length: number) => Float64Array.from({ length }, (_, i) => (i * 7919) % length);

export default [
  suite('SortWithFixture', {
    params: { length: [8, 8192] },
    unit: 'us',
    setup: ({ length }) => ({ source: shuffled(length), copy: new Float64Array(length) }),
    // What the body destroys is made anew before each call: a sorted array is no work for a sort (sample 38).
    setupInvocation: ({ source, copy }) => copy.set(source),
    benchmarks: { sort: ({ copy }) => copy.sort() },
  }),
  suite('SortWithInputs', {
    params: { length: [8] },
    unit: 'us',
    inputs: ({ length }) => Array.from({ length: 64 }, () => shuffled(length)),
    // The copy is part of the score here, but no clock is.
    benchmarks: { copyAndSort: (_state, _harness, source) => source.toSorted() },
  }),
];
