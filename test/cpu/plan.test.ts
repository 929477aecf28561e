import test from 'ava';
import fc from 'fast-check';
import { apply, busyShares, type Plan, type PlanOptions, plan, type Topology, topology } from '#lib/cpu/index.js';
import { machine } from './machines.js';

const withAddon = topology('/').ok || process.platform !== 'linux' ? test : test.skip;
const cache = new Map<string, Topology>();

function on(name: string): Topology {
  if (!cache.has(name)) {
    const outcome = topology(machine(name));
    if (!outcome.ok) throw new Error(outcome.message);
    cache.set(name, outcome.topology);
  }
  return cache.get(name)!;
}

function chosen(name: string, options?: PlanOptions): Plan {
  const made = plan(on(name), options);
  if (!made.ok) throw new Error(made.message);
  return made;
}
const cpusOf = (made: Plan) => made.threads.map(({ cpu }) => cpu);

withAddon('SMT: a whole core, not CPU 0 nor its sibling, fewest interrupts; the sibling stays idle', (t) => {
  const made = chosen('smt');
  t.deepEqual(cpusOf(made), [3]);
  t.deepEqual(made.idle, [7]);
  t.deepEqual(made.rest, [0, 1, 2, 4, 5, 6]);
  t.deepEqual(made.threads[0]!.reasons, [
    'not CPU 0',
    'no busy sibling (7)',
    '60 device interrupts on its core since boot',
  ]);
  t.true(made.notes.some((note) => note.includes('keep CPU 7 idle')));
});

withAddon('a busy sibling sends the thread to another core, and a busy CPU is not taken', (t) => {
  const made = chosen('smt', { busy: [5, 3] });
  t.deepEqual(cpusOf(made), [6]);
  t.deepEqual(made.rejected, [
    { cpu: 3, reason: 'busy or reserved by another process' },
    { cpu: 5, reason: 'busy or reserved by another process' },
  ]);
});

withAddon('several threads take several cores; without avoidSiblings they share only when cores run out', (t) => {
  t.deepEqual(cpusOf(chosen('smt', { threads: 3 })), [3, 6, 1]);
  const shared = chosen('smt', { threads: 5, avoidSiblings: false, keepFree: 0 });
  t.deepEqual(
    cpusOf(shared)
      .slice(0, 4)
      .map((cpu) => cpu % 4)
      .sort(),
    [0, 1, 2, 3],
  );
  t.true(shared.notes.some((note) => note.includes('share a core')));
  t.deepEqual(shared.idle, []);
});

withAddon('isolated first, those without a tick before the others; rest stays off isolated CPUs', (t) => {
  const made = chosen('isolated', { threads: 3 });
  t.deepEqual(cpusOf(made), [6, 7, 5]);
  t.deepEqual(made.rest, [0, 1, 2, 3]);
  t.is(made.threads[0]!.reasons[0], 'isolated, and without a timer tick');
  t.is(made.threads[2]!.reasons[0], 'isolated');
});

withAddon('hybrid: performance cores first, and a mixture is said', (t) => {
  t.deepEqual(cpusOf(chosen('hybrid')), [2]);
  const three = chosen('hybrid', { threads: 3 });
  t.deepEqual(cpusOf(three), [2, 4, 5]);
  t.true(three.notes.some((note) => note.includes('differ in capacity')));
  t.true(chosen('arm-biglittle').threads[0]!.cpu >= 4);
});

withAddon('two sockets: threads stay on one node as long as it has cores', (t) => {
  const made = chosen('two-sockets', { threads: 3 });
  t.deepEqual(
    made.threads.map(({ node }) => node),
    [0, 0, 0],
  );
  t.true(chosen('two-sockets', { threads: 5 }).notes.some((note) => note.includes('several sockets')));
});

withAddon('a container chooses inside its cpuset, and the quota is a note', (t) => {
  const made = chosen('container-v2');
  t.deepEqual(cpusOf(made), [2]);
  t.deepEqual(made.rest, [6]);
  t.true(made.notes.some((note) => note.includes('quota of 1.5 CPUs')));
  t.deepEqual(
    made.rejected.map(({ cpu }) => cpu),
    [0, 1, 4, 5, 7],
  );
});

withAddon('too few CPUs is a refusal that says how many there are and what to ask for', (t) => {
  const threads = plan(on('container-v2'), { threads: 3 });
  t.false(threads.ok);
  if (!threads.ok) {
    t.is(threads.code, 'TOO_FEW_CPUS');
    t.is(threads.message, 'plan: 3 whole cores were asked for, 2 can be had (of 3 usable CPUs)');
    // A core more to keep free would not give one more to plan.
    t.is(
      threads.hint,
      'Ask for less or give more: fewer threads, or avoidSiblings: false, or a wider cpuset or affinity.',
    );
  }
  const free = plan(on('container-v1'), { threads: 2 });
  t.false(free.ok);
  if (!free.ok) {
    t.is(free.message, 'plan: 1 core shall stay free, 0 would be left besides 2 planned threads');
    t.regex(free.hint, /keepFree: 0/);
  }
  // What the hint names must do: one less than asked for is not enough here.
  const many = plan(on('container-v1'), { threads: 1, keepFree: 5 });
  t.false(many.ok);
  if (!many.ok) {
    t.is(many.message, 'plan: 5 cores shall stay free, 1 would be left besides 1 planned thread');
    t.regex(many.hint, /: keepFree: 1, or a wider/);
    t.true(plan(on('container-v1'), { threads: 1, keepFree: 1 }).ok);
  }
});

withAddon('the choice can be narrowed', (t) => {
  t.deepEqual(cpusOf(chosen('smt', { cpus: [0, 4] })), [4]);
  t.true(chosen('smt', { cpus: [0] }).notes.some((note) => note.includes('CPU 0')));
});

withAddon('any options on any machine: a plan keeps its promises or is refused', (t) => {
  const names = [
    'smt',
    'hybrid',
    'arm-biglittle',
    'two-sockets',
    'isolated',
    'container-v2',
    'nested-v2',
    'container-v1',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.record({
        threads: fc.integer({ min: 1, max: 9 }),
        keepFree: fc.integer({ min: 0, max: 4 }),
        avoidSiblings: fc.boolean(),
        busy: fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 4 }),
      }),
      (name, options) => {
        const machineOf = on(name);
        const made = plan(machineOf, options);
        if (!made.ok) return made.hint !== '';
        const cpus = cpusOf(made);
        const cores = new Set(made.threads.map(({ core }) => core));
        const usable = machineOf.cpuset ?? machineOf.online;
        const freeCores = new Set(made.rest.map((cpu) => machineOf.cpus.find((c) => c.cpu === cpu)!.core));
        for (const core of cores) freeCores.delete(core);
        return (
          cpus.length === options.threads &&
          new Set(cpus).size === cpus.length &&
          cpus.every((cpu) => usable.includes(cpu) && !options.busy.includes(cpu) && !made.rest.includes(cpu)) &&
          (!options.avoidSiblings || cores.size === cpus.length) &&
          made.idle.every((cpu) => !cpus.includes(cpu) && !made.rest.includes(cpu)) &&
          freeCores.size >= options.keepFree
        );
      },
    ),
    { numRuns: 2000 },
  );
  t.pass();
});

withAddon('options that make no sense are misuse', (t) => {
  const smt = on('smt');
  t.throws(() => plan(smt, { threads: 0 }), { instanceOf: RangeError });
  t.throws(() => plan(smt, { threads: Number.NaN }), { instanceOf: RangeError });
  t.throws(() => plan(smt, { keepFree: -1 }), { instanceOf: RangeError });
  t.throws(() => plan(smt, { cpus: [] }), { instanceOf: RangeError });
  t.throws(() => plan(smt, { threads: '2' as unknown as number }), { instanceOf: TypeError });
});

test('busy shares come from differences; a disk wait is idle, stolen time is not, a new CPU is left out', (t) => {
  const before = 'cpu  0 0 0 0 0 0 0 0\ncpu0 100 0 0 900 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0 0 0\nintr 5';
  const after = `${before.replace('cpu0 100 0 0 900 0 0 0 0', 'cpu0 150 0 10 920 10 0 0 10').replace('cpu1 0 0 0 100', 'cpu1 0 0 0 300')}\ncpu2 1 1 1 1`;
  t.deepEqual(
    [...busyShares(before, after)],
    [
      [0, 0.7],
      [1, 0],
    ],
  );
  t.deepEqual([...busyShares('', after)], []);
});

withAddon('a plan that was refused cannot be applied, and an option that does not exist is misuse', (t) => {
  const refused = plan(on('smt'), { threads: 500 });
  t.throws(() => apply(refused as never), {
    instanceOf: TypeError,
    message: /^apply: this is no plan but a refusal: plan: 500 whole cores were asked for/,
  });
  t.throws(() => apply({} as never), { instanceOf: TypeError, message: /^apply: pass what plan\(\) gave/ });
  t.throws(() => plan(on('smt'), { thread: 2 } as object), {
    instanceOf: TypeError,
    message: /^plan: there is no option "thread"; there are threads, /,
  });
});
