import { existsSync } from 'node:fs';
import test from 'ava';
import { machineFacts } from '#lib/cpu/index.js';
import { machine } from './machines.js';

test('a desktop with SMT: everything is there, no quota, no hypervisor', (t) => {
  t.deepEqual(machineFacts(machine('smt')), {
    cpuModel: 'Example 4-core CPU',
    hypervisor: false,
    governor: 'powersave',
    turbo: 'on',
    smt: 'on',
    isolatedCpus: [],
    nohzFullCpus: [],
    clocksource: 'tsc',
    cpuPressure: 1.25,
    cpuQuota: null,
  });
});

test('governors that differ are all named; no_turbo = 1 is turbo off', (t) => {
  const facts = machineFacts(machine('hybrid'));
  t.is(facts.governor, 'performance,powersave');
  t.is(facts.turbo, 'off');
});

test('cpufreq boost stands in for no_turbo; pressure is read from the some line', (t) => {
  const facts = machineFacts(machine('two-sockets'));
  t.is(facts.turbo, 'on');
  t.is(facts.cpuPressure, 37.5);
});

test('isolcpus and nohz_full are lists; SMT that is not supported is said so', (t) => {
  const facts = machineFacts(machine('isolated'));
  t.deepEqual(facts.isolatedCpus, [4, 5, 6, 7]);
  t.deepEqual(facts.nohzFullCpus, [6, 7]);
  t.is(facts.smt, 'notsupported');
});

test('arm64 has no flags line: the hypervisor is unknown, not absent', (t) => {
  const facts = machineFacts(machine('arm-biglittle'));
  t.is(facts.hypervisor, null);
  t.is(facts.smt, null);
  t.is(facts.nohzFullCpus, null);
  t.is(facts.clocksource, 'arch_sys_counter');
});

test('quota: own limit in a v2 container, smallest of several levels, v1 with a partial mount', (t) => {
  t.is(machineFacts(machine('container-v2')).cpuQuota, 1.5);
  t.is(machineFacts(machine('nested-v2')).cpuQuota, 3);
  t.is(machineFacts(machine('container-v1')).cpuQuota, 0.5);
  t.true(machineFacts(machine('container-v1')).hypervisor);
});

test('damaged and missing files give null, never a throw', (t) => {
  const facts = machineFacts(machine('damaged'));
  t.is(facts.isolatedCpus, null);
  t.is(facts.cpuQuota, null);
  t.deepEqual(new Set(Object.values(machineFacts('/nonexistent'))), new Set([null]));
});

test('this machine answers in the right types', (t) => {
  const facts = machineFacts();
  if (existsSync('/proc/cpuinfo')) t.not(facts.cpuModel ?? facts.clocksource, null);
  for (const value of [facts.cpuPressure, facts.cpuQuota]) t.true(value === null || Number.isFinite(value));
});
