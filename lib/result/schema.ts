/**
 * The result model as a valibot schema: what a reader demands of a file. Objects are open, so that a later minor version may
 * add fields. The published JSON schema (schema/tscope-result-1.schema.json) is generated from this file by
 * scripts/schema.mjs; a type check below holds it to the model.
 */
import * as v from 'valibot';
import type { RunResult } from './model.js';

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const orNull = <S extends v.GenericSchema>(schema: S) => v.nullable(schema);
const numbers = v.array(number);

const paramValue = v.union([v.string(), number, v.boolean(), v.null()]);
const params = v.record(v.string(), paramValue);
const mode = v.picklist(['thrpt', 'avgt', 'sample', 'ss']);

const finding = v.looseObject({
  id: v.string(),
  severity: v.picklist(['info', 'warning', 'error']),
  message: v.string(),
  data: v.optional(v.record(v.string(), v.union([number, v.string(), v.boolean(), v.null()]))),
  forks: v.optional(v.array(count)),
});

const failure = v.looseObject({
  phase: v.string(),
  message: v.string(),
  stack: orNull(v.string()),
  fork: orNull(count),
  exitCode: orNull(v.pipe(v.number(), v.integer())),
  signal: orNull(v.string()),
});

const score = v.looseObject({
  value: number,
  unit: v.string(),
  better: v.picklist(['lower', 'higher']),
  error: orNull(number),
  interval: orNull(v.tuple([number, number])),
  confidence: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
  method: v.string(),
  level: v.picklist(['fork', 'iteration', 'sample']),
  n: count,
  min: number,
  max: number,
  status: v.picklist(['ok', 'too-few-forks', 'constant']),
});

const option = v.looseObject({
  value: v.union([v.string(), number, v.boolean(), v.null(), numbers]),
  source: v.picklist(['default', 'suite', 'benchmark', 'config', 'environment', 'command line', 'call']),
});

const clock = v.looseObject({
  backend: v.picklist(['addon', 'hrtime']),
  source: v.string(),
  hz: number,
  hzPpm: orNull(number),
  granularityNs: number,
  readNs: number,
  floorNs: number,
  reason: orNull(v.string()),
});

const tier = v.picklist(['interpreter', 'baseline', 'maglev', 'turbofan', 'optimized', 'inlined', 'unknown']);

const iteration = v.looseObject({
  index: count,
  startNs: number,
  ops: number,
  elapsedNs: number,
  wallNs: number,
  score: orNull(number),
  chunks: orNull(
    v.looseObject({
      count,
      invocations: number,
      minNs: number,
      medianNs: number,
      p90Ns: number,
      maxNs: number,
      values: orNull(numbers),
    }),
  ),
  histogram: orNull(
    v.looseObject({
      unit: v.literal('ns'),
      buckets: v.array(v.tuple([number, number])),
      min: number,
      max: number,
      total: number,
    }),
  ),
  gc: v.looseObject({ count, ns: number }),
  involuntarySwitches: orNull(number),
  gaps: v.looseObject({ count, lostNs: number, worstNs: number }),
  clock: v.looseObject({ driftNs: orNull(number), discontinuity: v.boolean() }),
  tier: orNull(v.looseObject({ loop: tier, body: tier, changed: v.boolean(), deopts: orNull(count) })),
  tags: v.array(v.string()),
  threads: orNull(
    v.array(
      v.looseObject({
        ops: number,
        elapsedNs: number,
        label: orNull(v.string()),
        counters: v.optional(v.record(v.string(), number)),
      }),
    ),
  ),
  counters: orNull(v.record(v.string(), number)),
  canary: orNull(v.looseObject({ arithmeticNs: number, memoryNs: number })),
  aware: orNull(
    v.looseObject({
      score: orNull(number),
      excludedNs: number,
      excludedChunks: count,
      log: v.optional(v.array(v.looseObject({ atNs: number, ns: number, cause: v.picklist(['switch', 'stolen']) }))),
    }),
  ),
});

const fork = v.looseObject({
  index: count,
  round: count,
  position: count,
  status: v.picklist(['ok', 'failed']),
  failure: orNull(failure),
  startedAt: v.string(),
  wallMs: number,
  startup: v.looseObject({
    spawnToEntryMs: orNull(number),
    loadMs: orNull(number),
    setupMs: orNull(number),
    spawnToFirstInvocationMs: orNull(number),
  }),
  runtime: orNull(
    v.looseObject({
      pid: count,
      node: v.string(),
      v8: v.string(),
      execArgv: v.array(v.string()),
      loader: v.picklist(['none', 'stripped', 'transformed']),
      clock,
      pinnedCpu: orNull(count),
      allowedCpus: orNull(v.array(count)),
    }),
  ),
  warmup: v.array(iteration),
  warmupEnd: orNull(v.picklist(['steady', 'fixed', 'cap'])),
  iterations: v.array(iteration),
  resultKind: orNull(v.string()),
  async: orNull(v.boolean()),
  linearity: orNull(
    v.looseObject({ ratio: orNull(number), oneNs: number, fourNs: number, emptyNs: number, eliminated: v.boolean() }),
  ),
  overhead: orNull(
    v.looseObject({
      emptyOpNs: orNull(number),
      clockReadNs: number,
      blackhole: v.optional(v.looseObject({ consumeNumberNs: number, consumeObjectNs: number, tokenNs: number })),
    }),
  ),
  findings: v.array(finding),
  output: v.looseObject({ stdout: v.string(), stderr: v.string() }),
});

const trial = v.looseObject({
  id: v.string(),
  file: v.string(),
  suite: v.string(),
  benchmark: v.string(),
  params,
  mode,
  baseline: v.boolean(),
  options: v.record(v.string(), option),
  status: v.picklist(['ok', 'failed', 'partial']),
  failure: orNull(failure),
  forks: v.array(fork),
  score: orNull(score),
  secondary: v.record(v.string(), score),
  counters: v.optional(v.record(v.string(), v.picklist(['operations', 'events']))),
  aware: v.optional(v.looseObject({ score, share: number, excludedNs: number })),
  findings: v.array(finding),
  stop: v.exactOptional(
    v.looseObject({
      outcome: v.picklist(['reached', 'cap', 'budget', 'unfinished']),
      wanted: orNull(number),
      halfWidth: orNull(number),
      looks: v.array(v.looseObject({ n: count, halfWidth: orNull(number) })),
    }),
  ),
});

const environment = v.looseObject({
  host: v.string(),
  platform: v.string(),
  arch: v.string(),
  kernel: v.string(),
  cpuModel: v.string(),
  cpuCount: count,
  allowedCpus: orNull(v.array(count)),
  memoryBytes: number,
  hypervisor: orNull(v.boolean()),
  governor: orNull(v.string()),
  turbo: orNull(v.string()),
  smt: orNull(v.string()),
  isolatedCpus: orNull(v.array(count)),
  nohzFullCpus: orNull(v.array(count)),
  clocksource: orNull(v.string()),
  loadAverage: numbers,
  cpuPressure: orNull(number),
  cpuQuota: orNull(number),
  node: v.string(),
  v8: v.string(),
  nodeExecutable: v.string(),
  nodeFlags: v.array(v.string()),
  backend: v.picklist(['addon', 'hrtime']),
  backendReason: orNull(v.string()),
  clock: orNull(clock),
});

/** A whole result file. */
export const runResultSchema = v.looseObject({
  format: v.literal('tscope-result'),
  version: v.pipe(v.string(), v.regex(/^1\.\d+$/)),
  id: v.string(),
  createdAt: v.string(),
  finishedAt: orNull(v.string()),
  tool: v.looseObject({ name: v.literal('tscope'), version: v.string() }),
  status: v.picklist(['complete', 'interrupted']),
  seed: count,
  environment,
  command: v.array(v.string()),
  trials: v.array(trial),
  findings: v.array(finding),
  stop: v.exactOptional(
    v.looseObject({
      rule: v.picklist(['stein', 'width']),
      target: number,
      confidence: number,
      pilot: count,
      cap: count,
      budgetMs: orNull(number),
    }),
  ),
});

/** Compile-time check: what the schema reads is the model. */
type Fits<A extends B, B> = A;
export type SchemaFitsModel = Fits<v.InferOutput<typeof runResultSchema>, RunResult>;
