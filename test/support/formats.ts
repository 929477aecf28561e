/** One run with everything that a format must carry: every mode, params, a group, counters, a failure, findings. */
import { againstBaselines, type CompareOptions } from '#lib/analysis/compare/index.js';
import { completeResult } from '#lib/analysis/complete.js';
import { reporterOf } from '#lib/report/formats/index.js';
import type { Fork, Iteration, ResolvedOptions, RunResult, Trial } from '#lib/result/model.js';
import { exampleResult, fork, iteration, trial } from './result.js';

const options = (over: Record<string, string | number | null> = {}): ResolvedOptions => {
  const values = {
    unit: 'ns',
    forks: 3,
    warmupIterations: null,
    warmupTimeMs: 100,
    warmupMinMs: 200,
    warmupMaxMs: 1500,
    warmupBatchSize: 1,
    iterations: 2,
    iterationTimeMs: 100,
    batchSize: 1,
    nodeArgs: '',
    ...over,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { value, source: name === 'unit' && name in over ? 'suite' : 'default' },
    ]),
  );
};

const id = ({ file, suite, benchmark, mode, params }: Trial) =>
  `${file}:${suite}.${benchmark}:${mode}:${JSON.stringify(params)}`;

function made(scores: readonly (readonly number[])[], over: Partial<Trial>): Trial {
  const plain = trial(scores, { file: 'bench/lookup.bench.ts', suite: 'Lookup', options: options(), ...over });
  return { ...plain, id: id(plain) };
}

/** Iterations of ops/s. */
const rates = (scores: readonly (readonly number[])[], more: (score: number) => Partial<Iteration> = () => ({})) =>
  scores.map((list, i) => ({
    ...fork(i, []),
    iterations: list.map((score, j) => iteration(j, 1e9 / score, { score, ...more(score) })),
  }));

/** A fork that sampled these buckets, ns, in each of two iterations. */
function sampled(index: number, buckets: readonly (readonly [number, number])[]): Fork {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const elapsed = buckets.reduce((sum, [value, count]) => sum + value * count, 0);
  const histogram = { unit: 'ns' as const, buckets, min: buckets[0]![0], max: buckets.at(-1)![0], total };
  return {
    ...fork(index, []),
    iterations: [0, 1].map((i) => iteration(i, elapsed / total, { ops: total, elapsedNs: elapsed, histogram })),
  };
}

const boom = {
  phase: 'benchmark',
  message: 'RangeError: boom, "quoted"',
  stack: 'RangeError: boom\n    at f (bench/queue.bench.ts:7:30)',
  fork: 0,
  exitCode: 1,
  signal: null,
};

const THREE = [
  [10, 11],
  [12, 11],
  [10, 10],
];

/** The run before its scores are computed. */
export function rawRun(): RunResult {
  const group = (score: number): Partial<Iteration> => ({
    threads: [
      { ops: score / 20, elapsedNs: 1e8, label: 'put', counters: { hits: 3, spun: score / 10 } },
      { ops: score / 20, elapsedNs: 1e8, label: 'take', counters: { hits: 4, spun: score / 10 } },
    ],
    counters: { hits: 7, spun: score / 5 },
  });
  return exampleResult({
    trials: [
      made(THREE, { benchmark: 'linearSearch', params: { size: 16, kind: 'int|float' } }),
      made(
        THREE.map((list) => list.map((ns) => ns * 40)),
        { benchmark: 'linearSearch', params: { size: 1024, kind: 'int|float' } },
      ),
      made(THREE, { benchmark: 'binarySearch', baseline: true, options: options({ unit: 'us' }) }),
      made([], {
        benchmark: 'binarySearch',
        mode: 'sample',
        forks: [0, 1, 2].map((i) =>
          sampled(i, [
            [20, 90],
            [30 + i, 9],
            [4000, 1],
          ]),
        ), // prettier-ignore
      }),
      made([[4e6], [5e6], [6e6]], {
        benchmark: 'binarySearch',
        mode: 'ss',
        options: options({ iterations: 1, warmupIterations: 0 }),
      }),
      made([], {
        file: 'bench/queue.bench.ts',
        suite: 'Queue',
        benchmark: 'queue',
        mode: 'thrpt',
        options: options({ unit: 's' }),
        counters: { hits: 'events', spun: 'operations' },
        forks: rates(
          [
            [2e7, 2.1e7],
            [2.2e7, 2e7],
            [1.9e7, 2e7],
          ],
          group,
        ), // prettier-ignore
      }),
      made([], {
        file: 'bench/queue.bench.ts',
        suite: 'Queue',
        benchmark: 'broken',
        status: 'failed',
        failure: boom,
        forks: [fork(0, [], { status: 'failed', failure: boom })],
      }),
    ],
    findings: [
      { id: 'busy-machine', severity: 'warning', message: 'The machine is busy; scores vary; wait or stop it.' },
    ],
  });
}

/** The run as `tscope run` leaves it. */
export const formatsRun = (): RunResult => completeResult(rawRun(), { allow: new Set(), flags: new Set() });

/** A result in one format, judged against its baselines as the command line does it. */
export const inFormat = (id: string, result: RunResult = formatsRun(), options?: CompareOptions): string =>
  reporterOf(id)!.format(result, againstBaselines(result, options));

/** A run of one trial with this suite, benchmark, param and failure message. */
export function namedRun(suite: string, benchmark: string, param: string, value: string, message: string): RunResult {
  const of = { suite, benchmark, params: { [param]: value } };
  const failure = { ...boom, message };
  const raw = exampleResult({
    trials: [
      made(THREE, of),
      made([], { ...of, mode: 'ss', status: 'failed', failure, forks: [fork(0, [], { status: 'failed', failure })] }),
    ],
  });
  return completeResult(raw, { allow: new Set(), flags: new Set() });
}
