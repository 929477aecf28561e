import test from 'ava';
import { type ClockReport, clockCommand, clockLines, clockReport } from '#lib/cli/commands/clock.js';

async function output(flags: Parameters<typeof clockCommand>[0]): Promise<{ text: string; code: number }> {
  let text = '';
  const code = await clockCommand(flags, { out: (part) => void (text += part) });
  return { text, code };
}

test.serial('clock --json: the whole report, and nothing else, on stdout', async (t) => {
  const { text, code } = await output({ json: true, ms: 20, crossCore: false });
  const report = JSON.parse(text) as ClockReport;
  t.is(code, report.assessment.invariant === false ? 1 : 0);
  t.is(report.assessment.crossCore, null);
  t.is(report.probes, null, 'probes only on request');
  t.true(report.clock.granularityNs > 0);
  t.is(report.capabilities[0]!.name, 'addon');
});

test.serial('clock: one line for each fact, units on every number', async (t) => {
  const { text } = await output({ ms: 20, crossCore: false, probe: true });
  const names = text.split('\n').map((line) => line.split('  ')[0]);
  for (const name of ['Source', 'Path', 'Frequency', 'Granularity', 'Read', 'Floor', 'Invariant', 'Probes']) {
    t.true(names.includes(name), name);
  }
  t.regex(text, /Granularity +[\d.]+ ns/);
  t.regex(text, /Frequency +[\d.]+ MHz/);
});

test.serial('clock: a counter that failed says so and the code is 1; a jump is named', (t) => {
  const report = clockReport({ ms: 20, crossCore: false });
  const failed: ClockReport = {
    ...report,
    assessment: { ...report.assessment, invariant: false, against: ['it went back 3 times in 1000 readings'] },
    drift: { driftNs: 5000, ppm: 100, elapsedNs: 50e6, discontinuity: true },
  };
  const text = clockLines(failed).join('\n');
  t.regex(text, /Invariant +no: it went back 3 times in 1000 readings/);
  t.regex(text, /Drift +5000\.0 ns .* a discontinuity/);
});

test('clock: a time that cannot be', async (t) => {
  for (const ms of [-5, 0, Number.NaN, 99_999_999]) {
    await t.throwsAsync(output({ ms }), { name: 'UsageError', message: /--ms: .* is not from 1 to 60000 ms/ });
  }
});
