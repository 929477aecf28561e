import { type JmhBenchmark, type JmhMetric, jmhBenchmarks } from '../../analysis/jmh.js';
import type { RunResult } from '../../result/model.js';
import { withoutScore } from './left-out.js';
import type { Reporter } from './reporter.js';

/** JMH's spellings of numbers that JSON has none for. */
function number(value: number): number | string {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+INF' : '-INF';
}

function metric({ score, error, confidence, percentiles, unit, raw, histogram }: JmhMetric) {
  return {
    score: number(score),
    scoreError: number(error),
    scoreConfidence: confidence.map(number),
    scorePercentiles: Object.fromEntries(Object.entries(percentiles).map(([key, value]) => [key, number(value)])),
    scoreUnit: unit,
    ...(raw === null ? { rawDataHistogram: histogram } : { rawData: raw.map((fork) => fork.map(number)) }),
  };
}

function record(benchmark: JmhBenchmark, primary: JmhMetric, { environment, id, tool }: RunResult) {
  const { trial, params, secondary } = benchmark;
  return {
    jmhVersion: `tscope ${tool.version}`,
    benchmark: benchmark.name,
    mode: trial.mode,
    threads: benchmark.threads,
    forks: benchmark.forks,
    jvm: environment.nodeExecutable,
    jvmArgs: benchmark.nodeArgs,
    jdkVersion: environment.node,
    vmName: 'Node.js V8',
    vmVersion: environment.v8,
    warmupIterations: benchmark.warmupIterations,
    warmupTime: benchmark.warmupTime,
    warmupBatchSize: benchmark.warmupBatchSize,
    measurementIterations: benchmark.iterations,
    measurementTime: benchmark.iterationTime,
    measurementBatchSize: benchmark.batchSize,
    ...(Object.keys(params).length > 0 ? { params } : {}),
    primaryMetric: metric(primary),
    secondaryMetrics: Object.fromEntries(Object.entries(secondary).map(([label, value]) => [label, metric(value)])),
    // Beyond JMH: the score with its interval over forks.
    tscope: { run: id, trial: trial.id, status: trial.status, score: trial.score },
  };
}

/** JMH's JSON, for everything that reads `-rf json` of JMH; what JMH has no field for is under the key `tscope`. */
export const json: Reporter = {
  id: 'json',
  extension: 'json',
  about: "JMH's JSON",
  defaultTarget: 'jmh-result.json',
  format(result) {
    const records = jmhBenchmarks(result).flatMap((benchmark) =>
      benchmark.primary === null ? [] : [record(benchmark, benchmark.primary, result)],
    );
    return `${JSON.stringify(records, null, 2)}\n`;
  },
  leavesOut: withoutScore,
};
