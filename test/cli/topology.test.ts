import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { runTopology } from '#lib/cli/commands/topology.js';
import { reserve, topology } from '#lib/cpu/index.js';

const locks = mkdtempSync(join(tmpdir(), 'tscope-locks-'));
process.env.TSCOPE_LOCK_DIR = join(locks, 'cpus');
test.after.always(() => rmSync(locks, { recursive: true, force: true }));

const machine = topology();
const withTopology = machine.ok ? test.serial : test.serial.skip;

async function run(options: Parameters<typeof runTopology>[0]) {
  let [text, err] = ['', ''];
  const code = await runTopology(options, { out: (part) => (text += part), err: (part) => (err += part) });
  return { code, text, err };
}

withTopology('text: every core has a line, nothing is planned unless asked', async (t) => {
  if (!machine.ok) return;
  const { code, text } = await run({});
  t.is(code, 0);
  for (const index of machine.topology.cores.keys()) t.true(text.includes(`\ncore ${index}`));
  t.regex(text, /^CPUs {7}/);
  t.notRegex(text, /thread 0/);
});

withTopology('json: the topology as it is, and the plan with its reasons', async (t) => {
  if (!machine.ok) return;
  const { code, text } = await run({ json: true, plan: 1 });
  const document = JSON.parse(text);
  t.deepEqual(document.topology.cores, machine.topology.cores);
  t.is(code, document.plan.ok ? 0 : 3);
  if (document.plan.ok) {
    const [{ cpu, reasons }] = document.plan.threads;
    t.true(reasons.length > 0);
    t.is(
      document.plan.notes.some((note: string) => note.includes('busy at the moment')),
      document.busy.includes(cpu),
    );
  }
  t.true(document.plan.ok || document.plan.code === 'TOO_FEW_CPUS');
});

withTopology('more threads than cores: exit code 3, and what to do in the words of the command line', async (t) => {
  if (!machine.ok) return;
  const { code, text, err } = await run({ plan: 5000 });
  t.is(code, 3);
  t.regex(text, /^CPUs {7}/, 'the machine is shown all the same');
  t.regex(err, /^plan: 5000 whole cores were asked for.*Ask for less or give more/s);
  t.notRegex(err, /keepFree|avoidSiblings/);
  // All cores: none is left, which has to be asked for.
  const all = machine.topology.cores.filter(({ cpus }) =>
    cpus.some((cpu) => machine.topology.allowed?.includes(cpu) ?? true),
  );
  const none = await run({ plan: all.length });
  t.is(none.code, 3);
  t.regex(none.err, /^plan: 1 core shall stay free, 0 would be left .*--keep-free 0/);
  const asked = await run({ plan: all.length, keepFree: 0 });
  t.is(asked.code, 0, asked.err);
  t.regex(asked.text, /note {7}no CPU is left for the other threads/);
});

withTopology('a reservation is shown with its holder and is not planned over', async (t) => {
  if (!machine.ok) return;
  const cpu = machine.topology.online.at(-1)!;
  const mine = reserve([cpu], { command: 'a lab run' });
  if (!mine.ok) return t.regex(mine.message, /is held by/);
  const { text } = await run({ plan: 1 });
  t.true(text.includes(`CPU ${cpu} by process ${process.pid} (a lab run)`));
  t.notRegex(text, new RegExp(`^thread 0 +CPU ${cpu}:`, 'm'));
  mine.reservation.release();
});

test('without the addon: one sentence and exit code 3', (t) => {
  const script = `const { runTopology } = await import('#lib/cli/commands/topology.js');
    process.exitCode = await runTopology({}, { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, TSCOPE_NO_ADDON: '1' },
  });
  t.is(status, 3);
  t.is(stdout, '');
  t.regex(stderr, /^topology: the native addon is not loaded .*build:addon/);
});
