import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { type CountersFlags, runCounters } from '#lib/cli/commands/counters.js';
import { countersText } from '#lib/cli/commands/counters-text.js';
import { events, type Survey, survey } from '#lib/counters/index.js';
import { ROOT } from '../support/cli.js';

const found = survey();
const withAddon = found.ok ? test.serial : test.serial.skip;
const software = found.ok && found.survey.available.length > 0 ? test.serial : test.serial.skip;
const incomplete = found.ok && found.survey.missing.length > 1 ? test.serial : test.serial.skip;
if (!found.ok) console.log(`# counters are not to be had here: ${found.message}`);

async function run(flags: CountersFlags) {
  let [out, err] = ['', ''];
  const code = await runCounters(flags, { out: (text) => (out += text), err: (text) => (err += text), columns: 80 });
  return { code, out, err };
}

/** The command as a user starts it. */
function tscope(args: readonly string[], env: Record<string, string> = {}) {
  const main = join(ROOT, 'dist/cli/main.js');
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [main, 'counters', ...args], options);
}

const MADE: Survey = {
  kernel: false,
  available: [
    { name: 'cycles', hardware: true, inKernel: false, overhead: 412 },
    { name: 'instructions', hardware: true, inKernel: false, overhead: null },
    { name: 'task-clock', hardware: false, inKernel: false, overhead: 1191.4 },
    { name: 'context-switches', hardware: false, inKernel: true, overhead: 0 },
  ],
  missing: [
    { name: 'LLC-loads', errno: 2, code: 'ENOENT', hint: 'No such event here.' },
    { name: 'branches', errno: 95, code: 'ENOTSUP', hint: 'Ask for another.' },
    { name: 'LLC-load-misses', errno: 2, code: 'ENOENT', hint: 'No such event here.' },
  ],
  group: {
    names: ['cycles', 'task-clock', 'context-switches'],
    failed: [{ name: 'instructions', errno: 22, code: 'EINVAL', hint: 'The PMU has no room for it.' }],
    sectionNs: 2345.6,
  },
  cycles: [
    { source: 'perf', sections: 11, valid: 11, ghz: 3.6891, spread: 0.00123, ratio: 1 },
    { source: 'estimated', sections: 11, valid: 9, ghz: 3.6928, spread: 0.02, ratio: 1.001 },
  ],
  skipped: [{ source: 'rdpru', reason: 'the CPU does not advertise rdpru (probe: true would try it)' }],
};

const REPORT = `Counted             4 of 7 events, user code only; an empty section counts
  cycles            412
  instructions      unknown: it was never on the PMU
  task-clock        1191 ns
  context-switches  0 (always with the kernel)
Missing             LLC-loads, LLC-load-misses
  ENOENT            No such event here.
Missing             branches
  ENOTSUP           Ask for another.
Section             2.35 us, begin and end of 3 events in one group
  no room           instructions: EINVAL. The PMU has no room for it.
Cycles              perf, 3.689 GHz; 11 of 11 sections valid, within 0.12 % of
                    each other
  also              estimated, 3.693 GHz; 9 of 11 sections valid, within 2.0 %
                    of each other; 1.0010 of perf
  not rdpru         the CPU does not advertise rdpru (--probe would try it)
`;

test('the report of a known machine', (t) => {
  t.is(countersText(MADE, 80), REPORT);
  t.false(countersText({ ...MADE, kernel: true }, 80).includes('always'));
  const untrusted = { ...MADE.cycles[0]!, valid: 0, ghz: null, spread: null, ratio: null };
  const busy = countersText({ ...MADE, cycles: [untrusted] }, 200);
  t.regex(busy, /^Cycles +perf; 0 of 11 sections valid: run again when the machine is quiet$/m);
  t.regex(countersText({ ...MADE, cycles: [], group: null }, 80), /^Cycles +no source$/m);
});

software('every event is counted or missing with its reason; a section has a cost and cycles a source', async (t) => {
  const { code, out, err } = await run({});
  t.is(code, 0, err);
  t.is(err, '');
  t.regex(out, new RegExp(`^Counted +\\d+ of ${events()!.length} events, user code only`));
  for (const { name } of events()!) t.true(out.includes(name), name);
  t.regex(out, /^Section +[\d.]+ us, begin and end of \d+ events in one group$/m);
  t.regex(out, /^Cycles +(perf|rdpru|estimated|no source)/m);
});

software('json: the survey as data, and nothing else on stdout', (t) => {
  const { name } = found.ok ? found.survey.available[0]! : { name: '' };
  const { status, stdout, stderr } = tscope(['--events', `${name},cycles`, '--kernel', '--json']);
  t.is(status, 0, stderr);
  t.is(stderr, '');
  const document = JSON.parse(stdout);
  t.is(document.refusal, null);
  t.true(document.survey.kernel);
  const { available, missing } = document.survey as Survey;
  t.deepEqual([...available, ...missing].map((event) => event.name).sort(), [...new Set([name, 'cycles'])].sort());
});

incomplete('nothing that was asked for can be counted: exit code 3, and what to do', async (t) => {
  const names = found.ok ? found.survey.missing.map((event) => event.name) : [];
  const all = await run({ events: names });
  t.is(all.code, 3);
  t.regex(all.out, /^Counted +0 of /, 'what was found out is shown all the same');
  t.regex(all.err, new RegExp(`^counters: none of ${names.length} events can be counted here: [A-Z]+\\. .+\\.\n$`));
  const one = await run({ events: [names[0]!, names[0]!], json: true });
  t.is(one.code, 3);
  t.is(one.err, '');
  const { refusal } = JSON.parse(one.out);
  t.true(refusal.message.startsWith(`counters: ${names[0]} cannot be counted here: ${refusal.code}`));
  t.true(refusal.hint.length > 0);
});

withAddon('a mistake in a flag: exit code 2, and which', (t) => {
  const wrong: [string[], RegExp][] = [
    [['--events', 'task-clock,cycels'], /^tscope: --events: there is no event "cycels"; use cycles, .*\.\n$/],
    [['--events', ''], /^tscope: --events: there is no event ""; use cycles, .*\.\n$/],
    [['--event', 'cycles'], /unknown option '--event'/],
    [['cycles'], /too many arguments/],
  ];
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = tscope([...args, '--json']);
    t.is(status, 2, args.join(' '));
    t.is(stdout, '');
    t.regex(stderr, message);
  }
});

test('without the addon: one sentence and exit code 3; as JSON the same', (t) => {
  const text = tscope([], { TSCOPE_NO_ADDON: '1' });
  t.is(text.status, 3);
  t.is(text.stdout, '');
  t.regex(text.stderr, /^counters: the native addon is not loaded .*build:addon.*\n$/);
  const json = tscope(['--json', '--events', 'cycles'], { TSCOPE_NO_ADDON: '1' });
  t.is(json.status, 3);
  t.is(json.stderr, '');
  const document = JSON.parse(json.stdout);
  t.deepEqual([document.survey, document.refusal.code], [null, 'NO_ADDON']);
});
