import { readdirSync } from 'node:fs';
import test from 'ava';
import { events, open, openCycles, type Survey, type SurveyOptions, survey } from '#lib/counters/index.js';

const known = events();
const withAddon = known ? test.serial : test.serial.skip;

function surveyed(options?: SurveyOptions): Survey {
  const outcome = survey(options);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.survey;
}

withAddon('every event is in one of the two lists, the one that open() would say', (t) => {
  const { available, missing, group } = surveyed();
  t.deepEqual([...available, ...missing].map(({ name }) => name).sort(), known!.map(({ name }) => name).sort());
  for (const { name, overhead } of available) {
    const opened = open([name]);
    t.true(opened.ok, name);
    if (opened.ok) opened.counters.close();
    t.true(overhead === null || overhead >= 0, name);
  }
  for (const { name, code, hint } of missing) {
    const opened = open([name]);
    t.like(opened, { ok: false, code, hint }, name);
  }
  t.is(group === null, available.length === 0);
  if (group) t.true(group.sectionNs > 0 && group.names.length > 0);
});

withAddon('the first source of cycles is the one that openCycles() takes; each other one has its reason', (t) => {
  const { cycles, skipped } = surveyed({ events: ['task-clock'] });
  const opened = openCycles();
  t.is(cycles[0]?.source, opened.ok ? opened.cycles.source : undefined);
  if (opened.ok) opened.cycles.close();
  t.is(cycles.length + skipped.length, 3);
  for (const { valid, sections, ghz, spread, ratio } of cycles) {
    t.true(valid <= sections);
    t.is(ghz === null, valid === 0);
    t.is(spread === null, valid === 0);
    if (spread !== null) t.true(spread >= 0);
    if (ratio !== null) t.true(ratio > 0);
  }
  for (const { reason } of skipped) t.true(reason.length > 0);
});

const fds = known && process.platform === 'linux' ? test.serial : test.serial.skip;
fds('nothing stays open', (t) => {
  surveyed();
  const before = readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 5; i++) surveyed({ probe: true });
  t.is(readdirSync('/proc/self/fd').length, before);
});

test('misuse throws', (t) => {
  t.throws(() => survey({ events: [] }), { instanceOf: RangeError, message: /no event was asked for/ });
  t.throws(() => survey({ events: ['task-clock', 'task-clock'] }), { instanceOf: RangeError, message: /twice/ });
  t.throws(() => survey({ events: 'cycles' as unknown as string[] }), { instanceOf: TypeError });
  t.throws(() => survey({ evnts: ['cycles'] } as SurveyOptions), { instanceOf: TypeError, message: /"evnts"/ });
  if (known) t.throws(() => survey({ events: ['cycels'] }), { instanceOf: TypeError, message: /no event "cycels"/ });
});
