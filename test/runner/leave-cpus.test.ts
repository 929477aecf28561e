import { execFileSync } from 'node:child_process';
import test from 'ava';
import { allowedCpus, threads } from '#lib/cpu/index.js';
import { leaveCpus } from '#lib/runner/index.js';

const before = allowedCpus();
const able = before !== null && before.length > 1;
const run = able ? test : test.skip;
if (!able) console.error('skipped: the host cannot be moved with one CPU or without the addon');

const childCpus = () =>
  execFileSync(
    process.execPath,
    ['-p', 'require("fs").readFileSync("/proc/self/status","utf8").match(/Cpus_allowed_list:\\s*(\\S+)/)[1]'],
    { encoding: 'utf8' },
  ).trim();

run(
  'every thread of the host leaves the measured CPU, processes it starts do not inherit that, and all comes back',
  (t) => {
    const [helper, ...others] = before!;
    const whole = childCpus();
    const affinity = leaveCpus({ measured: others, helpers: [helper!] });
    t.deepEqual(affinity.findings, []);
    t.true(threads()!.length > 1);
    for (const { cpus } of threads()!) t.deepEqual(cpus, [helper]);
    t.is(affinity.outside(childCpus), whole);
    t.deepEqual(allowedCpus(), [helper]);
    affinity.restore();
    for (const { cpus } of threads()!) t.deepEqual(cpus, before);
  },
);

run('what cannot be had is a finding, and the host stays', (t) => {
  const affinity = leaveCpus({ measured: [0], helpers: [4000] });
  t.deepEqual(
    affinity.findings.map(({ id }) => id),
    ['host-not-moved'],
  );
  t.is(
    affinity.outside(() => 5),
    5,
  );
  affinity.restore();
  t.deepEqual(allowedCpus(), before);
});

test('without a plan nothing moves', (t) => {
  const affinity = leaveCpus({ measured: null, helpers: null });
  t.deepEqual([affinity.findings, allowedCpus()], [[], before]);
});
