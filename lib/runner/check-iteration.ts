/** Can what a fork tells of an iteration be what it measured? Its process also runs user code, which can break anything in it. */
import type { HistogramData, Iteration } from '../result/model.js';

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function histogramProblem({ buckets, min, max, total }: HistogramData): string | null {
  if (!Array.isArray(buckets) || ![min, max, total].every(isTime)) return 'its histogram is none';
  let held = 0;
  let last = -1;
  for (const bucket of buckets) {
    const [edge, count] = Array.isArray(bucket) ? bucket : [];
    if (!isTime(edge) || !isTime(count) || edge <= last) return 'the buckets of its histogram are not in order';
    last = edge;
    held += count;
  }
  return held === total ? null : `its histogram holds ${held} samples, but says ${total}`;
}

/** What cannot be true of `iteration`, as the end of a sentence; null when nothing speaks against it. */
export function iterationProblem(iteration: Iteration): string | null {
  if (typeof iteration !== 'object' || iteration === null) return 'it is no object';
  for (const field of ['ops', 'elapsedNs', 'wallNs'] as const) {
    if (!isTime(iteration[field])) return `${field} is ${JSON.stringify(iteration[field])}`;
  }
  const { score, ops, elapsedNs, tags, threads, chunks, histogram, gc, gaps, clock } = iteration;
  if (score !== null && !isTime(score)) return `score is ${JSON.stringify(score)}`;
  if (score === null && ops > 0 && elapsedNs > 0) return `it has no score for ${ops} ops`;
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) return 'tags are no list of texts';
  if (
    threads !== null &&
    !(Array.isArray(threads) && threads.every((thread) => isTime(thread.ops) && isTime(thread.elapsedNs)))
  )
    return 'what its threads did is no list of numbers';
  if (![gc?.count, gc?.ns, gaps?.count, gaps?.lostNs, gaps?.worstNs].every(isTime)) return 'gc or gaps are no numbers';
  if (typeof clock?.discontinuity !== 'boolean') return 'the check of its clock is missing';
  if (
    chunks !== null &&
    ![chunks?.count, chunks?.invocations, chunks?.minNs, chunks?.medianNs, chunks?.maxNs].every(isTime)
  )
    return 'its chunks are no numbers';
  return histogram === null ? null : histogramProblem(histogram);
}
