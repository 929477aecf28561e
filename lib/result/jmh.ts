/** Reads the result files of JMH (`-rf json`): what is needed to compare them, checked field by field. */
import * as v from 'valibot';
import { issueWords } from './issue-words.js';
import type { Mode } from './model.js';
import { ResultFileError } from './result-file-error.js';

/** One benchmark of a JMH file. Scores that are not finite (JMH writes "NaN", "+INF") are null. */
export interface JmhRecord {
  /** Full name, `package.Class.method`. */
  readonly benchmark: string;
  readonly mode: Mode;
  readonly params: Readonly<Record<string, string>>;
  readonly threads: number;
  /** Configured forks; 0 = ran inside JMH's own process. */
  readonly forks: number;
  /** Version of JMH, of the virtual machine, its name, its path and its arguments, as far as they are told. */
  readonly facts: Readonly<Record<string, string>>;
  /** Options that shape a measurement. */
  readonly options: Readonly<Record<string, string | number>>;
  readonly unit: string;
  /** Scores [fork][iteration]; null in sample mode. */
  readonly rawData: readonly (readonly (number | null)[])[] | null;
  /** Sampled times [fork][iteration][bucket] = [value in `unit`, count]; sample mode only. */
  readonly rawDataHistogram: readonly (readonly (readonly (readonly [number, number])[])[])[] | null;
  /** Metrics beside the primary one that keep their raw data: counters, methods of a group, profilers. */
  readonly secondary: Readonly<Record<string, JmhSecondary>>;
}

/** A secondary metric of a JMH file. */
export interface JmhSecondary {
  readonly unit: string;
  /** Values [fork][iteration]. */
  readonly rawData: readonly (readonly (number | null)[])[];
}

const score = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(
    v.picklist(['NaN', '-INF', '+INF']),
    v.transform(() => null),
  ),
]);
const text = v.optional(v.string());
const option = v.optional(v.union([v.string(), v.number()]));

const recordSchema = v.looseObject({
  jmhVersion: text,
  benchmark: v.string(),
  mode: v.picklist(['thrpt', 'avgt', 'sample', 'ss']),
  threads: v.optional(v.number(), 1),
  forks: v.optional(v.number(), 0),
  jvm: text,
  jvmArgs: v.optional(v.array(v.string())),
  jdkVersion: text,
  vmName: text,
  vmVersion: text,
  warmupIterations: option,
  warmupTime: option,
  warmupBatchSize: option,
  measurementIterations: option,
  measurementTime: option,
  measurementBatchSize: option,
  params: v.optional(v.record(v.string(), v.string()), {}),
  primaryMetric: v.looseObject({
    scoreUnit: v.string(),
    rawData: v.optional(v.array(v.array(score))),
    rawDataHistogram: v.optional(v.array(v.array(v.array(v.tuple([v.number(), v.pipe(v.number(), v.minValue(0))]))))),
  }),
  secondaryMetrics: v.optional(
    v.record(v.string(), v.looseObject({ scoreUnit: v.string(), rawData: v.optional(v.array(v.array(score))) })),
    {},
  ),
});

const defined = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, T] => entry[1] !== undefined));

function toRecord(value: v.InferOutput<typeof recordSchema>): JmhRecord {
  const { jmhVersion, jvm, jdkVersion, vmName, vmVersion, primaryMetric } = value;
  return {
    benchmark: value.benchmark,
    mode: value.mode,
    params: value.params,
    threads: value.threads,
    forks: value.forks,
    facts: defined({ jmhVersion, jvm, jdkVersion, vmName, vmVersion, jvmArgs: value.jvmArgs?.join(' ') }),
    options: defined<string | number>({
      threads: value.threads,
      warmupIterations: value.warmupIterations,
      warmupTime: value.warmupTime,
      warmupBatchSize: value.warmupBatchSize,
      measurementIterations: value.measurementIterations,
      measurementTime: value.measurementTime,
      measurementBatchSize: value.measurementBatchSize,
    }),
    unit: primaryMetric.scoreUnit,
    rawData: primaryMetric.rawData ?? null,
    rawDataHistogram: primaryMetric.rawDataHistogram ?? null,
    secondary: Object.fromEntries(
      Object.entries(value.secondaryMetrics).flatMap(([name, { scoreUnit, rawData }]) =>
        rawData === undefined ? [] : [[name, { unit: scoreUnit, rawData }]],
      ),
    ),
  };
}

/** Does this parsed JSON look like a result file of JMH: a list whose members name a benchmark and a primary metric? */
export const isJmh = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.every(
    (entry) => typeof entry === 'object' && entry !== null && 'benchmark' in entry && 'primaryMetric' in entry,
  );

/**
 * The records of a JMH result file.
 *
 * @param value Parsed JSON for which {@link isJmh} holds.
 * @param name Name for messages, usually the path.
 * @throws ResultFileError `damaged`, naming record and field.
 */
export function readJmh(value: readonly unknown[], name: string): JmhRecord[] {
  return value.map((entry, index) => {
    const parsed = v.safeParse(recordSchema, entry, { abortEarly: true });
    if (parsed.success) return toRecord(parsed.output);
    const issue = parsed.issues[0];
    throw new ResultFileError(
      'damaged',
      `${name}: record ${index + 1} of this JMH file is damaged at ${issueWords(issue)}.`,
    );
  });
}
