import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { lockDirectory, reservations, reserve, topology } from '#lib/cpu/index.js';

const machine = topology();
const locks = machine.ok ? test.serial : test.serial.skip;
const cpu = machine.ok ? machine.topology.online.at(-1)! : 0;
const core = machine.ok ? machine.topology.cores.find(({ cpus }) => cpus.includes(cpu))!.cpus : [];

const directory = join(mkdtempSync(join(tmpdir(), 'tscope-locks-')), 'cpus');
test.after.always(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

const children: ChildProcess[] = [];
test.afterEach.always(() => {
  for (const process of children.splice(0)) process.kill('SIGKILL');
});

/** A process that runs `body` with `reserve`, `reservations`, `directory` and `cpu` at hand, and a way to read its lines. */
function child(body: string, args: string[] = []) {
  const script = `
    import { mkdirSync, rmdirSync } from 'node:fs';
    import { reserve, reservations } from '#lib/cpu/index.js';
    const directory = ${JSON.stringify(directory)}, cpu = ${cpu};
    ${body}`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', script, 'child', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(started);
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  return { started, line: async () => (await lines.next()).value as string };
}
const ended = (process: ChildProcess) => once(process, 'exit');

locks('a reservation covers the whole core, is exclusive, names its holder and ends with release', (t) => {
  const first = reserve([cpu], { directory, command: 'the first\nholder' });
  if (!first.ok) return t.fail(first.message);
  t.deepEqual(first.reservation.cpus, core);
  const second = reserve([cpu], { directory });
  t.false(second.ok);
  if (second.ok) return;
  t.is(second.code, 'EAGAIN');
  t.deepEqual(second.holder, { cpu: core[0]!, pid: process.pid, command: 'the first holder' });
  t.true(second.message.includes(`process ${process.pid} (the first holder)`));
  t.regex(second.hint, /another core/);
  t.deepEqual(reservations({ directory }), {
    ok: true,
    holders: core.map((c) => ({ cpu: c, pid: process.pid, command: 'the first holder' })),
  });
  first.reservation.release();
  first.reservation.release();
  t.deepEqual(reservations({ directory }), { ok: true, holders: [] });
  const third = reserve([cpu], { directory });
  t.true(third.ok);
  if (third.ok) third.reservation[Symbol.dispose]();
});

locks('all or nothing: a set that overlaps a held core leaves the rest free', (t) => {
  if (!machine.ok || machine.topology.cores.length < 2) return t.pass();
  const held = reserve([cpu], { directory });
  const both = reserve([machine.topology.online[0]!, cpu], { directory });
  t.true(held.ok && !both.ok);
  const holders = reservations({ directory });
  t.true(holders.ok && holders.holders.length === core.length);
  if (held.ok) held.reservation.release();
});

locks('two processes racing for the same core 1,000 times never both hold it', async (t) => {
  const inside = join(directory, '..', 'inside');
  // mkdir succeeds once: a second process inside the critical section would see the folder.
  const body = `
    let won = 0, lost = 0, both = 0;
    console.log('ready');
    for await (const _ of process.stdin) break;
    while (won < 1000) {
      const got = reserve([cpu], { directory });
      if (!got.ok) { if (got.code !== 'EAGAIN') throw new Error(got.message); lost++; continue; }
      won++;
      try { mkdirSync(${JSON.stringify(inside)}); } catch { both++; }
      if (won % 8 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.2);
      try { rmdirSync(${JSON.stringify(inside)}); } catch { both++; }
      got.reservation.release();
    }
    console.log(JSON.stringify({ won, lost, both }));`;
  const racers = [child(body), child(body)];
  for (const racer of racers) t.is(await racer.line(), 'ready');
  for (const racer of racers) racer.started.stdin!.end('go');
  const results = await Promise.all(racers.map(async (racer) => JSON.parse(await racer.line())));
  t.log(results);
  t.deepEqual(
    results.map(({ won, both }) => [won, both]),
    [
      [1000, 0],
      [1000, 0],
    ],
  );
  t.true(
    results.some(({ lost }) => lost > 0),
    'they never met: the race raced nothing',
  );
  t.false(existsSync(inside));
});

locks('the core of a holder that is killed is free at once', async (t) => {
  for (let round = 0; round < 10; round++) {
    const holder = child(`
      const got = reserve([cpu], { directory, command: 'victim' });
      console.log(got.ok ? 'held' : got.message);
      setInterval(() => {}, 1000);`);
    t.is(await holder.line(), 'held');
    const refusal = reserve([cpu], { directory });
    t.true(!refusal.ok && refusal.holder?.pid === holder.started.pid && refusal.holder?.command === 'victim');
    holder.started.kill('SIGKILL');
    await ended(holder.started);
    const got = reserve([cpu], { directory });
    if (!got.ok) return t.fail(got.message);
    const now = reservations({ directory });
    t.true(now.ok && now.holders.every(({ pid }) => pid === process.pid), 'the dead holder is no longer named');
    got.reservation.release();
  }
});

locks('a reservation ends with its process and outlives a forgotten object', async (t) => {
  const holder = child(
    `
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--expose-gc');
    const gc = (await import('node:vm')).runInNewContext('gc');
    reserve([cpu], { directory });
    for (let i = 0; i < 5; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
    console.log(reservations({ directory }).holders.length);`,
  );
  t.is(await holder.line(), String(core.length));
  await ended(holder.started);
  t.deepEqual(reservations({ directory }), { ok: true, holders: [] });
});

locks('what cannot be reserved is refused with a hint', (t) => {
  const absent = reserve([8000], { directory });
  t.true(!absent.ok && absent.code === 'NO_SUCH_CPU' && absent.hint.includes('Online are'));
  const nowhere = reserve([cpu], { directory: join(directory, 'no/such') });
  t.true(!nowhere.ok && nowhere.code === 'ENOENT' && nowhere.holder === null);
  if (!nowhere.ok) t.is(nowhere.message, `reserve: lock folder ${join(directory, 'no/such')}: ENOENT`);
  const other = mkdtempSync(join(tmpdir(), 'tscope-link-'));
  symlinkSync('/dev/null', join(other, `cpu-${core[0]}.lock`));
  const link = reserve([cpu], { directory: other });
  t.true(!link.ok && link.code === 'ELOOP' && link.hint.includes('symbolic link'));
  rmSync(other, { recursive: true });
  const file = join(directory, '..', 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  const notFolder = reserve([cpu], { directory: file });
  t.true(!notFolder.ok && notFolder.code === 'ENOTDIR' && notFolder.hint.includes('is no folder'));
  t.throws(() => reserve([], { directory }), { instanceOf: RangeError });
  t.throws(() => reserve([cpu], { dir: directory } as object), { instanceOf: TypeError, message: /no option "dir"/ });
});

test('the lock folder can be chosen by the environment', (t) => {
  const before = process.env.TSCOPE_LOCK_DIR;
  process.env.TSCOPE_LOCK_DIR = directory;
  t.is(lockDirectory(), directory);
  if (before === undefined) delete process.env.TSCOPE_LOCK_DIR;
  else process.env.TSCOPE_LOCK_DIR = before;
});
