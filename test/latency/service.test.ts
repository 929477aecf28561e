import test from 'ava';
import { measureFile, samplesOf } from './forks.js';
import { quantile } from './queue.js';

const S = 100_000;

test.serial('a task of 100 us below its capacity: service and undelayed response are 100 us', async (t) => {
  const [data] = await measureFile('known-service', { only: /Below/ });
  const events = samplesOf(data!.forks[0]!.runs[0]!);
  t.is(events.length, 2000);
  const close = (ns: number) => ns >= S && ns < S + Math.max(0.02 * S, 1000);
  const service = quantile(
    events.map((e) => e.end - e.start),
    50,
  );
  t.true(close(service), `service p50 ${service}`);
  // On a busy machine the median event waits for the machine; those that did not must show nothing but the task.
  const undelayed = events.filter((e) => e.start - e.planned < 1000);
  t.true(undelayed.length >= 20, `${undelayed.length} events began on time`);
  const response = quantile(
    undelayed.map((e) => e.end - e.planned),
    50,
  );
  t.true(close(response), `response p50 of undelayed events ${response}`);
});

test.serial(
  'above its capacity lateness grows with the slope that queueing arithmetic gives, and the rate is called unreachable',
  async (t) => {
    const [data] = await measureFile('known-service', { only: /Above/ });
    const run = data!.forks[0]!.runs[0]!;
    const events = samplesOf(run);
    t.is(events.length, 10_000);
    const mean = events.reduce((sum, e) => sum + (e.end - e.start), 0) / events.length;
    t.true(mean >= S);
    const lateness = events.map((e) => e.start - e.planned);
    const n = events.length;
    const whole = (lateness[n - 1]! - lateness[0]!) / (n - 1);
    // The mean service time contains what the machine took; what it took between two events is the same for both sides of the comparison.
    const between = events.slice(1).reduce((sum, e, i) => sum + (e.start - events[i]!.end), 0) / (n - 1);
    const expected = mean - 80_000;
    t.true(
      Math.abs(whole - expected) < 0.05 * expected + between,
      `lateness grew by ${whole} ns per event, arithmetic says ${expected} (${between} between events)`,
    );
    const finding = run.findings.find((f) => f.id === 'unreachable');
    t.truthy(finding);
    t.true(Math.abs(run.achievedPerSec / (1e9 / (mean + between)) - 1) < 0.05);
  },
);
