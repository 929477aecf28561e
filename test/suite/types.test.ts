/** What must compile and what must not. `@ts-expect-error` fails the build when the line compiles after all. */
import test from 'ava';
import { defineConfig, latency, suite } from '#lib/index.js';

const lookup = suite('Lookup', {
  mode: 'avgt',
  params: { size: [16, 1024, 65_536], kind: ['a', 'b'], flag: [true, null] },
  where: ({ size, kind }) => size > 16 && kind === 'a',
  shared: ({ size }) => ({ cell: new SharedArrayBuffer(size) }),
  async setup({ size, kind }, { cell }) {
    let n = size;
    n += 1; // A number, not one of the literals.
    return { values: new Int32Array(n), key: size, kind, cell };
  },
  teardown: ({ values }, { size }) => void (values.length + size),
  setupIteration: ({ key }) => void key.toFixed(),
  inputs: (_params, state) => [state.key, 2, 3],
  counters: { valid: 'operations', invalid: 'events' },
  benchmarks: {
    linear({ values, key }, { counters, blackhole, thread, control }, input) {
      counters.valid++;
      blackhole.consume(thread.index);
      blackhole.consumeCPU(1);
      const n: number = input;
      return control.stop ? -1 : values.indexOf(key + n);
    },
    other: { run: ({ cell }) => cell.byteLength, baseline: true, iterations: 3, iterationTime: '50ms' },
    async later({ kind }) {
      const letter: 'a' | 'b' = kind;
      return letter;
    },
  },
  groups: { both: { linear: 1, other: 2 } },
});

const bare = [
  suite('Params are the state', { params: { n: [1, 2] }, benchmarks: { f: ({ n }) => n * 2 } }),
  suite('Nothing', { benchmarks: { f: () => 2 } }),
];

suite('Bad', {
  params: { n: [1] },
  setup: ({ n }) => ({ a: n }),
  benchmarks: {
    // @ts-expect-error the state has no field b
    f: ({ b }) => b,
  },
});
// @ts-expect-error an object is no param value
suite('Bad', { params: { n: [{}] }, benchmarks: { f: () => 1 } });
// @ts-expect-error params are lists
suite('Bad', { params: { n: 1 }, benchmarks: { f: () => 1 } });
// @ts-expect-error no such mode
suite('Bad', { mode: 'average', benchmarks: { f: () => 1 } });
// @ts-expect-error no such option
suite('Bad', { fork: 3, benchmarks: { f: () => 1 } });
// @ts-expect-error benchmarks are required
suite('Bad', {});
suite('Bad', {
  params: { n: [1] },
  // @ts-expect-error setup sees n, not m
  setup: ({ m }) => m,
  benchmarks: { f: () => 1 },
});
suite('Bad', {
  counters: { hits: 'operations' },
  benchmarks: {
    // @ts-expect-error there is no counter "misses"
    f: (_state, { counters }) => counters.misses++,
  },
});
suite('Bad', {
  inputs: () => ['a'],
  benchmarks: {
    // @ts-expect-error inputs are strings
    f: (_state, _harness, input) => input * 2,
  },
});
// @ts-expect-error a count, not a text
defineConfig({ forks: 'many' });

const paced = latency('Paced', {
  rate: 1000,
  params: { size: [1, 2] },
  probes: ['parse', 'match'],
  setup: async ({ size }) => ({ size }),
  inputs: () => ['a', 'b'],
  run({ size }, event) {
    const text: string = event.input;
    event.probe.parse(size);
    event.probe.match(text.length);
  },
});
latency('Bad', {
  rate: 1000,
  probes: ['parse'],
  // @ts-expect-error there is no probe "match"
  run: (_state, event) => event.probe.match(1),
});
latency('Bad', {
  rate: 1000,
  // @ts-expect-error no probes are declared
  run: (_state, event) => event.probe.parse(1),
});
latency('Bad', {
  rate: 1000,
  probes: ['parse'],
  // @ts-expect-error a probe records ns, not text
  run: (_state, event) => event.probe.parse('1us'),
});
latency('Bad', {
  rate: 1000,
  inputs: () => ['a'],
  // @ts-expect-error inputs are strings
  run: (_state, event) => event.input * 2,
});
latency('Bad', {
  rate: 1000,
  // @ts-expect-error without inputs there is none
  run: (_state, event) => event.input.length,
});
latency('Bad', {
  rate: 1000,
  setup: () => Promise.resolve({ a: 1 }),
  // @ts-expect-error the state has no field b
  run: ({ b }) => b,
});
// @ts-expect-error no such arrivals
latency('Bad', { rate: 1000, arrivals: 'normal', run: () => 1 });
// @ts-expect-error no such option
latency('Bad', { rate: 1000, iteration: 5, run: () => 1 });
// @ts-expect-error run is required
latency('Bad', { rate: 1000 });

test('a latency definition is plain data', (t) => {
  t.is(paced.kind, 'latency');
  t.deepEqual(paced.definition.probes, ['parse', 'match']);
});

test('a suite is plain data', (t) => {
  t.is(lookup.kind, 'suite');
  t.is(lookup.name, 'Lookup');
  t.is(bare.length, 2);
  t.deepEqual(defineConfig({ forks: 3, allow: ['no-addon'] }), { forks: 3, allow: ['no-addon'] });
});
