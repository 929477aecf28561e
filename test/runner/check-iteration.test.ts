import test from 'ava';
import type { Iteration } from '#lib/result/model.js';
import { iterationProblem } from '#lib/runner/check-iteration.js';
import { iteration } from '../support/result.js';

const histogram = {
  unit: 'ns',
  buckets: [
    [10, 3],
    [20, 1],
  ],
  min: 10,
  max: 20,
  total: 4,
} as const; // prettier-ignore
const good = { ...iteration(0, 10), histogram };

test('what a fork can have measured is taken', (t) => {
  t.is(iterationProblem(good), null);
  t.is(iterationProblem({ ...good, histogram: null, chunks: null, score: null, ops: 0 }), null);
  t.is(iterationProblem({ ...good, score: null, elapsedNs: 0 }), null, 'no time passed on a coarse clock');
});

// NaN and Infinity arrive as null.
const WRONG: Readonly<Record<string, [change: object, problem: RegExp]>> = {
  'a number that is none': [{ ops: null }, /^ops is null$/],
  'a negative time': [{ elapsedNs: -1 }, /^elapsedNs is -1$/],
  'a score that is text': [{ score: '5' }, /^score is "5"$/],
  'ops and time without a score': [{ score: null }, /^it has no score for /],
  'tags that are an object': [{ tags: {} }, /^tags are no list/],
  'threads without numbers': [{ threads: [{ ops: 1 }] }, /^what its threads did/],
  'no gc': [{ gc: null }, /^gc or gaps/],
  'no clock': [{ clock: {} }, /^the check of its clock/],
  'chunks without numbers': [{ chunks: { count: 1 } }, /^its chunks/],
  'samples without buckets': [
    { histogram: { ...histogram, buckets: [] } },
    /^its histogram holds 0 samples, but says 4$/,
  ],
  'buckets out of order': [
    {
      histogram: {
        ...histogram,
        buckets: [
          [20, 1],
          [10, 3],
        ],
      },
    },
    /not in order$/,
  ], // prettier-ignore
  'buckets that are none': [{ histogram: { ...histogram, buckets: [1, 2] } }, /not in order$/],
};
for (const [what, [change, problem]] of Object.entries(WRONG)) {
  test(`${what}: refused with what is wrong`, (t) => {
    t.regex(iterationProblem({ ...good, ...change } as Iteration) ?? 'nothing', problem);
  });
}
