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

test('something that is no object is told as that', (t) => {
  for (const none of [null, 5, 'text', undefined])
    t.is(iterationProblem(none as never), 'it is no object', JSON.stringify(none));
  t.is(iterationProblem({ ...good, histogram: { ...histogram, buckets: [[0, 4]], min: 0 } }), null, 'a time of zero');
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
  'buckets of the same edge': [
    {
      histogram: {
        ...histogram,
        buckets: [
          [10, 3],
          [10, 1],
        ],
      },
    },
    /not in order$/,
  ], // prettier-ignore
  'a count that is none': [{ histogram: { ...histogram, buckets: [[10, null]] } }, /not in order$/],
  'a negative edge': [{ histogram: { ...histogram, buckets: [[-1, 4]] } }, /not in order$/],
  'ends that are none': [{ histogram: { ...histogram, min: null } }, /^its histogram is none$/],
  'a histogram without a list': [{ histogram: { ...histogram, buckets: {} } }, /^its histogram is none$/],
  'time as text': [{ wallNs: '5' }, /^wallNs is "5"$/],
  'one of two threads without numbers': [
    { threads: [{ ops: 1, elapsedNs: 1 }, { elapsedNs: 1 }] },
    /^what its threads did/,
  ],
  'a tag that is a number': [{ tags: ['gc', 5] }, /^tags are no list/],
  'buckets that are none': [{ histogram: { ...histogram, buckets: [1, 2] } }, /not in order$/],
};
for (const [what, [change, problem]] of Object.entries(WRONG)) {
  test(`${what}: refused with what is wrong`, (t) => {
    t.regex(iterationProblem({ ...good, ...change } as Iteration) ?? 'nothing', problem);
  });
}
