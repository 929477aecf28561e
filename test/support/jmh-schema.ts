/** JMH's JSON as documented, as a JSON schema: what a strict reader of `-rf json` expects of every field. */
const score = { anyOf: [{ type: 'number' }, { enum: ['NaN', '-INF', '+INF'] }] };
const count = { type: 'integer', minimum: 0 };
const time = { type: 'string', pattern: '^(\\d+ (ns|us|ms|s|min|hr|day)|single-shot)$' };
const percentileKeys = ['0.0', '50.0', '90.0', '95.0', '99.0', '99.9', '99.99', '99.999', '99.9999', '100.0'];

const metric = {
  type: 'object',
  required: ['score', 'scoreError', 'scoreConfidence', 'scorePercentiles', 'scoreUnit'],
  properties: {
    score,
    scoreError: score,
    scoreConfidence: { type: 'array', items: score, minItems: 2, maxItems: 2 },
    scorePercentiles: {
      type: 'object',
      required: percentileKeys,
      additionalProperties: false,
      properties: Object.fromEntries(percentileKeys.map((key) => [key, score])),
    },
    scoreUnit: { type: 'string', minLength: 1 },
    rawData: { type: 'array', items: { type: 'array', items: score } },
    rawDataHistogram: {
      type: 'array',
      items: {
        type: 'array',
        items: {
          type: 'array',
          items: { type: 'array', items: [{ type: 'number' }, count], minItems: 2, maxItems: 2 },
        },
      },
    },
  },
  oneOf: [{ required: ['rawData'] }, { required: ['rawDataHistogram'] }],
  additionalProperties: false,
};

const properties = {
  jmhVersion: { type: 'string' },
  benchmark: { type: 'string', pattern: '\\.' },
  mode: { enum: ['thrpt', 'avgt', 'sample', 'ss'] },
  threads: { type: 'integer', minimum: 1 },
  forks: count,
  jvm: { type: 'string' },
  jvmArgs: { type: 'array', items: { type: 'string' } },
  jdkVersion: { type: 'string' },
  vmName: { type: 'string' },
  vmVersion: { type: 'string' },
  warmupIterations: count,
  warmupTime: time,
  warmupBatchSize: count,
  measurementIterations: count,
  measurementTime: time,
  measurementBatchSize: count,
  primaryMetric: metric,
  secondaryMetrics: { type: 'object', additionalProperties: metric },
};

export const jmhSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: Object.keys(properties),
    // Absent when there are none.
    properties: {
      ...properties,
      params: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    },
    if: { properties: { mode: { const: 'sample' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
    then: { properties: { primaryMetric: { required: ['rawDataHistogram'] } } },
    else: { properties: { primaryMetric: { required: ['rawData'] } } },
  },
};
