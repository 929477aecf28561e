import { type JmhBenchmark, type JmhMetric, jmhBenchmarks } from '../../analysis/jmh.js';
import type { RunResult } from '../../result/model.js';
import type { Reporter } from './reporter.js';

const text = (value: string): string => `"${value.replaceAll('"', '""')}"`;

interface Row {
  readonly name: string;
  readonly benchmark: JmhBenchmark;
  readonly metric: JmhMetric | null;
}

/** The primary metric, then the secondary ones as `name:label`. */
const rowsOf = (benchmark: JmhBenchmark): Row[] => [
  { name: benchmark.name, benchmark, metric: benchmark.primary },
  ...Object.entries(benchmark.secondary).map(([label, metric]) => ({
    name: `${benchmark.name}:${label}`,
    benchmark,
    metric,
  })),
];

/**
 * JMH's table with separated values: texts in quotes, lines end in CRLF (RFC 4180), numbers in full precision with a point, whatever
 * the locale. A trial without a score has NaN and 0 samples.
 */
function separated(result: RunResult, separator: string): string {
  const benchmarks = jmhBenchmarks(result);
  const params = [...new Set(benchmarks.flatMap((benchmark) => Object.keys(benchmark.params)))].sort();
  const head = ['Benchmark', 'Mode', 'Threads', 'Samples', 'Score', 'Score Error (99.9%)', 'Unit'];
  const lines = benchmarks
    .flatMap(rowsOf)
    .map(({ name, benchmark, metric }) => [
      text(name),
      text(benchmark.trial.mode),
      String(benchmark.threads),
      String(metric?.n ?? 0),
      String(metric?.score ?? Number.NaN),
      String(metric?.error ?? Number.NaN),
      text(metric?.unit ?? ''),
      ...params.map((param) => (Object.hasOwn(benchmark.params, param) ? text(benchmark.params[param]!) : '')),
    ]);
  return [[...head, ...params.map((param) => `Param: ${param}`)].map(text), ...lines]
    .map((cells) => `${cells.join(separator)}\r\n`)
    .join('');
}

/** JMH's CSV. */
export const csv: Reporter = {
  id: 'csv',
  extension: 'csv',
  about: "JMH's CSV, comma-separated",
  defaultTarget: 'jmh-result.csv',
  format: (result) => separated(result, ','),
};

/** JMH's CSV with semicolons, for spreadsheets whose decimal separator is a comma. */
export const scsv: Reporter = {
  id: 'scsv',
  extension: 'scsv',
  about: "JMH's CSV, semicolon-separated",
  defaultTarget: 'jmh-result.scsv',
  format: (result) => separated(result, ';'),
};
