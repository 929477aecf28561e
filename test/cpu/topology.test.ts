import { readdirSync } from 'node:fs';
import test from 'ava';
import { machineFacts, type Topology, topology } from '#lib/cpu/index.js';
import { fixtures, machine } from './machines.js';

const withAddon = topology('/').ok || process.platform !== 'linux' ? test : test.skip;

function read(name: string): Topology {
  const outcome = topology(machine(name));
  if (!outcome.ok) throw new Error(`${outcome.message}; ${outcome.hint}`);
  return outcome.topology;
}

withAddon('SMT: siblings form cores, caches are listed once with who shares them', (t) => {
  const smt = read('smt');
  t.deepEqual(smt.cores, [
    { package: 0, id: 0, cpus: [0, 4] },
    { package: 0, id: 1, cpus: [1, 5] },
    { package: 0, id: 2, cpus: [2, 6] },
    { package: 0, id: 3, cpus: [3, 7] },
  ]);
  t.deepEqual(smt.cpus[5], {
    cpu: 5,
    core: 1,
    package: 0,
    node: 0,
    capacity: null,
    maxKhz: 4_200_000,
    kind: null,
    interrupts: 5000,
  });
  t.is(smt.caches.length, 4 + 4 + 4 + 1);
  t.deepEqual(smt.caches.at(-1), {
    level: 3,
    type: 'Unified',
    bytes: 16 << 20,
    lineBytes: 64,
    cpus: [0, 1, 2, 3, 4, 5, 6, 7],
  });
  t.deepEqual([smt.smt, smt.isolated, smt.nohzFull, smt.quota], [true, [], [], null]);
});

withAddon('hybrid: kinds and capacities; efficiency cores share an L2', (t) => {
  const hybrid = read('hybrid');
  t.deepEqual(hybrid.cpus.map(({ kind }) => kind?.[0]).join(''), 'ppppeeee');
  t.deepEqual(
    hybrid.cpus.map(({ capacity }) => capacity),
    [1024, 1024, 1024, 1024, 642, 642, 642, 642],
  );
  t.deepEqual(
    hybrid.cores.map(({ cpus }) => cpus.length),
    [2, 2, 1, 1, 1, 1],
  );
  t.true(hybrid.caches.some(({ level, cpus }) => level === 2 && cpus.join() === '4,5,6,7'));
});

withAddon('arm64: capacities without caches, nodes or SMT', (t) => {
  const arm = read('arm-biglittle');
  t.deepEqual(
    arm.cpus.map(({ capacity }) => capacity),
    [485, 485, 485, 485, 1024, 1024, 1024, 1024],
  );
  t.deepEqual([arm.caches, arm.nodes, arm.smt, arm.nohzFull, arm.cpus[0]!.node], [[], [], null, null, null]);
});

withAddon('two sockets: equal core ids in different sockets are different cores', (t) => {
  const two = read('two-sockets');
  t.is(two.cores.length, 8);
  t.deepEqual(
    two.cores.map(({ package: p, id }) => `${p}.${id}`),
    ['0.0', '0.1', '0.9', '0.10', '1.0', '1.1', '1.9', '1.10'],
  );
  t.deepEqual(
    two.nodes.map(({ cpus }) => cpus.join()),
    ['0,1,2,3,8,9,10,11', '4,5,6,7,12,13,14,15'],
  );
  t.deepEqual([two.cpus[4]!.package, two.cpus[12]!.package, two.cpus[12]!.core], [1, 1, two.cpus[4]!.core]);
});

withAddon('isolated CPUs, and an affinity that leaves them out', (t) => {
  const isolated = read('isolated');
  t.deepEqual(
    [isolated.isolated, isolated.nohzFull, isolated.allowed],
    [
      [4, 5, 6, 7],
      [6, 7],
      [0, 1, 2, 3],
    ],
  );
  t.deepEqual(
    isolated.cpus.map(({ interrupts }) => interrupts),
    [9000, 800, 500, 700, 9, 8, 3, 7],
  );
});

withAddon('containers: cpuset and quota of v2, nested v2 and v1', (t) => {
  const pick = ({ cpuset, quota }: Topology) => ({ cpuset: cpuset?.join(), quota });
  t.deepEqual(pick(read('container-v2')), { cpuset: '2,3,6', quota: 1.5 });
  t.deepEqual(pick(read('nested-v2')), { cpuset: '0,1,2,3,4,5', quota: 3 });
  t.deepEqual(pick(read('container-v1')), { cpuset: '1,3', quota: 0.5 });
});

withAddon('damaged files: what can be had, null for the rest', (t) => {
  const damaged = read('damaged');
  t.deepEqual(damaged.cores, [
    { package: 0, id: 0, cpus: [0] },
    { package: null, id: null, cpus: [1] },
    { package: null, id: null, cpus: [2] },
  ]);
  t.deepEqual([damaged.isolated, damaged.cpuset, damaged.quota, damaged.caches], [null, null, null, []]);
});

withAddon('both readers of /sys and cgroups agree on every recorded machine', (t) => {
  const names = readdirSync(fixtures).map((file) => file.replace('.tree', ''));
  t.true(names.length >= 9);
  for (const name of names) {
    const root = machine(name);
    const outcome = topology(root);
    const facts = machineFacts(root);
    if (!outcome.ok) throw new Error(outcome.message);
    t.is(outcome.topology.quota, facts.cpuQuota, name);
    t.deepEqual(outcome.topology.isolated, facts.isolatedCpus, name);
    t.deepEqual(outcome.topology.nohzFull, facts.nohzFullCpus, name);
    if (outcome.topology.smt !== null) t.is(outcome.topology.smt, facts.smt === 'on', name);
  }
});

withAddon('a root without /sys is refused as a value', (t) => {
  const outcome = topology('/nonexistent');
  t.false(outcome.ok);
  if (!outcome.ok) t.regex(outcome.message, /nonexistent\/sys/);
});

withAddon('this machine: every online CPU is in exactly one core', (t) => {
  const outcome = topology();
  if (!outcome.ok) return t.is(outcome.code, 'UNSUPPORTED');
  const { online, cores, cpus } = outcome.topology;
  t.deepEqual(
    cores.flatMap((core) => core.cpus).sort((a, b) => a - b),
    [...online],
  );
  for (const { cpu, core } of cpus) t.true(cores[core]!.cpus.includes(cpu));
});
