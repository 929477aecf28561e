import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { currentPriority, lockMemory, setPriority, timerSlack } from '#lib/cpu/index.js';

const linux = currentPriority() === null ? test.serial.skip : test.serial;
/** Runs the script in a process of its own; without rights it gives up root and every limit first. */
function run(script: string, unprivileged = false): unknown {
  const setup = unprivileged ? `process.setgid(65534); process.setuid(65534);` : '';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `const cpu = await import('#lib/cpu/index.js'); ${setup} ${script}`],
    { encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? linux : test.serial.skip;
/** Giving up root needs root. */
const asNobody = asRoot;

linux('batch and back: previous is what a second call takes', (t) => {
  const before = currentPriority()!;
  const outcome = setPriority({ policy: 'batch' });
  t.deepEqual(outcome, { ok: true, previous: before, warnings: [] });
  t.is(currentPriority()!.policy, 'batch');
  t.true(setPriority(before).ok);
  t.deepEqual(currentPriority(), before);
});

asRoot('fifo is given to the calling thread only, not to threads it creates', async (t) => {
  const outcome = setPriority({ policy: 'fifo', realtime: 3 });
  if (!outcome.ok) return t.regex(outcome.hint, /CAP_SYS_NICE/);
  t.like(currentPriority(), { policy: 'fifo', realtime: 3 });
  const url = import.meta.resolve('#lib/cpu/index.js');
  const worker = new Worker(
    `import(${JSON.stringify(url)}).then((cpu) => require('node:worker_threads').parentPort.postMessage(cpu.currentPriority()))`,
    { eval: true },
  );
  const [inWorker] = await once(worker, 'message');
  t.like(inWorker, { policy: 'other', realtime: 0 });
  t.true(setPriority(outcome.previous).ok);
  t.like(currentPriority(), outcome.previous);
});

asNobody('without rights fifo and a lower nice value are refusals that name the limit, and change nothing', (t) => {
  const [fifo, nice, after] = run(
    `console.log(JSON.stringify([cpu.setPriority({ policy: 'fifo' }), cpu.setPriority({ policy: 'batch', nice: -5 }), cpu.currentPriority()]));`,
    true,
  ) as [Record<string, unknown>, Record<string, unknown>, unknown];
  t.like(fifo, { ok: false, errno: 1, code: 'EPERM' });
  t.regex(String(fifo.hint), /RLIMIT_RTPRIO/);
  t.like(nice, { ok: false, errno: 13, code: 'EACCES' });
  t.regex(String(nice.hint), /RLIMIT_NICE/);
  t.deepEqual(after, { policy: 'other', realtime: 0, nice: 0 });
});

asRoot('memory is locked as it is touched, and unlocked again', (t) => {
  const [locked, during, unlocked, after] = run(`
    const { readFileSync } = await import('node:fs');
    const kb = () => Number(/VmLck:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    console.log(JSON.stringify([cpu.lockMemory(), kb(), cpu.unlockMemory(), kb()]));`) as unknown[];
  t.deepEqual([locked, unlocked], [{ ok: true }, { ok: true }]);
  t.true((during as number) > 0);
  t.is(after, 0);
});

asNobody('memory beyond the limit is a refusal that names it', (t) => {
  const outcome = run(`console.log(JSON.stringify(cpu.lockMemory({ future: true })));`, true) as Record<
    string,
    unknown
  >;
  if (outcome.ok) return t.pass(); // an unlimited machine
  t.true(outcome.code === 'ENOMEM' || outcome.code === 'EPERM');
  t.regex(String(outcome.hint), /RLIMIT_MEMLOCK/);
});

linux('timer slack of this thread is set, read back and restored', (t) => {
  const outcome = timerSlack(1);
  if (!outcome.ok) return t.fail(outcome.message);
  t.true(outcome.previous > 0);
  t.deepEqual(timerSlack(outcome.previous), { ok: true, previous: 1 });
  t.deepEqual(timerSlack(0), { ok: true, previous: outcome.previous });
});

test('misuse throws', (t) => {
  t.throws(() => setPriority({ policy: 'high' as 'fifo' }), { instanceOf: TypeError, message: /"high" is no policy/ });
  t.throws(() => setPriority({ policy: 'fifo', realtime: 0 }), { instanceOf: RangeError });
  t.throws(() => setPriority({ policy: 'fifo', realtime: 100 }), { instanceOf: RangeError });
  t.throws(() => setPriority({ realtime: 5 }), { instanceOf: RangeError });
  t.throws(() => setPriority({ nice: 20 }), { instanceOf: RangeError });
  t.throws(() => timerSlack(-1), { instanceOf: RangeError });
  t.throws(() => timerSlack(Number.NaN), { instanceOf: RangeError });
});

test('without the addon all are refusals', (t) => {
  const names = ['setPriority({})', 'lockMemory()', 'timerSlack(1)', 'reserve([0])', 'reservations()', 'topology()'];
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const cpu = await import('#lib/cpu/index.js'); console.log(JSON.stringify([${names.map((n) => `cpu.${n}`)}]));`,
    ],
    { encoding: 'utf8', env: { ...process.env, TSCOPE_NO_ADDON: '1' } },
  );
  for (const outcome of JSON.parse(stdout)) t.is(outcome.code, 'NO_ADDON');
});

test('an option that does not exist is misuse: a real-time level by another name would be level 1', (t) => {
  t.throws(() => setPriority({ policy: 'fifo', priority: 50 } as object), {
    instanceOf: TypeError,
    message: /there is no option "priority"; there are policy, realtime, nice/,
  });
  t.throws(() => lockMemory({ onfault: true } as object), { instanceOf: TypeError, message: /no option "onfault"/ });
});
