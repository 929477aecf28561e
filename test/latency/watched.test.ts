/** What is watched beside the events of real forks: jitter floor and jitter, collections, switches, event-loop delay, and on which CPU. */
import test from 'ava';
import { allowedCpus, machineFacts } from '#lib/cpu/index.js';
import { reportText } from '#lib/latency/format/report.js';
import { chooseCpus } from '#lib/runner/cpus.js';
import { hasAddon, measureFile } from './forks.js';

const native = hasAddon ? test.serial : test.serial.skip;
const CPUS = chooseCpus(allowedCpus(), machineFacts().isolatedCpus, 1);

for (const driver of ['spin', 'pacer'] as const) {
  native(`${driver}: the floor is that of the CPU under test, jitter that of the driver's`, async (t) => {
    const [data] = await measureFile('watched', { only: new RegExp(`^${driver}$`) });
    const fork = data!.forks[0]!;
    t.is(fork.status, 'ok');
    t.is(fork.driver!.kind, driver);
    const pinned = fork.findings.some(({ id }) => id === 'not-pinned') ? null : (CPUS.measured?.[0] ?? null);
    t.is(fork.runtime!.pinnedCpu, pinned);
    t.is(fork.floor!.when, 'floor');
    t.is(fork.floor!.cpu, pinned);
    // Half a second was asked for.
    t.true(fork.floor!.elapsedNs >= 0.49e9, `${fork.floor!.elapsedNs}`);
    t.true(reportText(data!).includes(`\nJitter floor of CPU ${pinned ?? '?'}: `), reportText(data!));

    const run = fork.runs[0]!;
    t.is(run.jitter.length, 1);
    t.is(run.jitter[0]!.when, 'run');
    if (driver === 'spin') t.is(run.jitter[0]!.cpu, pinned);
    else t.is(run.jitter[0]!.cpu, CPUS.helpers?.[0] ?? null);
    // 600 events at 500/s are planned over 1.2 s.
    t.true(run.intervals.length >= 2);
    if (process.platform === 'linux') t.true(run.intervals.some((of) => of.involuntarySwitches !== null));
    if (driver === 'spin') {
      t.true(run.intervals.every((of) => of.loopDelayMaxNs === null));
      return;
    }
    t.true(run.intervals.reduce((sum, of) => sum + of.gc.count, 0) > 0);
    t.true(run.intervals.reduce((sum, of) => sum + of.gc.ns, 0) > 0);
    // The task blocks for 200 ms at event 300, planned at 0.6 s: in the first interval, which once was always unknown.
    t.true(run.intervals[0]!.loopDelayMaxNs! > 100e6, JSON.stringify(run.intervals.map((of) => of.loopDelayMaxNs)));
    if (process.platform === 'linux') t.not(run.intervals[0]!.involuntarySwitches, null);
  });
}

test.serial('pin: false pins nothing, and jitter: false samples nothing', async (t) => {
  const overrides = { pin: false, jitter: false, iterations: 50 };
  for (const data of await measureFile('watched', { overrides })) {
    const fork = data.forks[0]!;
    t.is(fork.runtime!.pinnedCpu, null);
    t.is(fork.floor, null);
    t.deepEqual(fork.runs[0]!.jitter, []);
    t.notRegex(reportText(data), /Jitter floor/);
    t.false(
      fork.findings.some(({ id }) => id === 'not-pinned'),
      'what was asked for is no finding',
    );
  }
});
