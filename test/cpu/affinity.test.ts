import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import {
  affinityOf,
  allowedCpus,
  currentCpu,
  ensurePool,
  pinOthers,
  pinProcess,
  pinSelf,
  restore,
  threadId,
  threads,
  usage,
} from '#lib/cpu/index.js';

const cpus = allowedCpus();
/** Pinning needs Linux, the addon and two CPUs; elsewhere the answer must be a value that says why. */
const pinning = cpus !== null && cpus.length >= 2 ? test.serial : test.serial.skip;
const [first, second] = [cpus?.[0] ?? 0, cpus?.[1] ?? 1];
const masks = () => new Map(threads()!.map((thread) => [thread.tid, thread.cpus.join()]));

test.afterEach.always(() => void restore());

pinning('pinSelf pins the caller only; restore gives its CPUs back', (t) => {
  const others = [...masks()].filter(([tid]) => tid !== threadId());
  const outcome = pinSelf([second]);
  t.deepEqual(outcome, { ok: true, previous: cpus! });
  t.deepEqual(allowedCpus(), [second]);
  t.is(currentCpu(), second);
  for (const [tid, mask] of others) if (masks().has(tid)) t.is(masks().get(tid), mask);
  t.true(restore().ok);
  t.deepEqual(allowedCpus(), cpus);
});

pinning('pinOthers moves everything but the caller and the exceptions', async (t) => {
  await ensurePool();
  const before = masks();
  const spared = threads()!.find((thread) => thread.role === 'other')!.tid;
  const outcome = pinOthers([first], { except: [spared] });
  t.true(outcome.ok);
  if (!outcome.ok) return;
  t.is(outcome.moved, before.size - 2);
  for (const { tid, role, cpus: now } of threads()!) {
    if (role === 'main' || tid === spared) t.deepEqual(now, cpus!);
    else t.deepEqual(now, [first]);
  }
  t.true(restore().ok);
  for (const [tid, mask] of masks()) t.is(mask, before.get(tid) ?? cpus!.join());
});

pinning('a thread born while its creator was pinned gets the CPUs of the process back', async (t) => {
  pinSelf([second]);
  const worker = new Worker('require("node:worker_threads").parentPort.on("message", () => process.exit())', {
    eval: true,
  });
  await once(worker, 'online');
  const born = threads()!.filter((thread) => thread.role === 'other' && thread.cpus.join() === `${second}`);
  t.true(born.length > 0);
  pinOthers([first]);
  t.true(restore().ok);
  for (const { cpus: now } of threads()!) t.deepEqual(now, cpus!);
  worker.postMessage('end');
  await once(worker, 'exit');
});

pinning('restore leaves alone what somebody else changed since', async (t) => {
  const worker = await pinnedWorker(t);
  pinOthers([first], {});
  const moved = await worker.pin(second);
  t.true(moved.ok);
  t.true(restore().ok);
  t.is(masks().get(worker.tid), `${second}`);
  await worker.end();
});

pinning('a worker pins itself from the inside and sees itself as self', async (t) => {
  const worker = await pinnedWorker(t);
  t.deepEqual(await worker.pin(second), { ok: true, previous: cpus! });
  t.is(masks().get(worker.tid), `${second}`);
  t.deepEqual(allowedCpus(), cpus);
  t.is(threads()!.find((thread) => thread.tid === worker.tid)!.role, 'other');
  t.is(await worker.role(), 'self');
  await worker.end();
});

pinning('pinProcess moves all threads of this process or of another; affinityOf sees it', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  const outcome = pinProcess(child.pid!, [second]);
  t.true(outcome.ok && outcome.moved > 1);
  t.deepEqual(affinityOf(child.pid!), { ok: true, cpus: [second] });
  t.deepEqual(affinityOf(0), { ok: true, cpus: cpus! });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const own = pinProcess(process.pid, [first]);
  t.true(own.ok);
  for (const { cpus: now } of threads()!) t.deepEqual(now, [first]);
  t.true(restore().ok);
  t.deepEqual(allowedCpus(), cpus);
  const gone = affinityOf(child.pid!);
  t.true(!gone.ok && gone.code === 'ESRCH' && gone.errno === 3);
});

pinning('a CPU that does not exist is refused as a value, also beside one that does', (t) => {
  for (const wanted of [[8000], [first, 8000]]) {
    const outcome = pinSelf(wanted);
    t.false(outcome.ok);
    if (outcome.ok) continue;
    t.is(outcome.code, 'EINVAL');
    t.is(outcome.errno, 22);
    t.regex(outcome.message, /8000/);
    t.regex(outcome.hint, /allowedCpus/);
    t.deepEqual(allowedCpus(), cpus);
  }
  t.false(pinOthers([8000]).ok);
});

test('misuse throws and says what was passed', (t) => {
  const wrong = (cpusGiven: unknown) => () => pinSelf(cpusGiven as number[]);
  t.throws(wrong([]), { instanceOf: RangeError, message: /empty/ });
  t.throws(wrong([Number.NaN]), { instanceOf: RangeError, message: /NaN/ });
  t.throws(wrong([-1]), { instanceOf: RangeError, message: /-1/ });
  t.throws(wrong([0.5]), { instanceOf: RangeError });
  t.throws(wrong([8192]), { instanceOf: RangeError });
  t.throws(wrong('0'), { instanceOf: TypeError });
  t.throws(wrong(['0']), { instanceOf: TypeError });
  t.throws(wrong(undefined), { instanceOf: TypeError });
  t.throws(() => pinOthers([0], { except: [0] }), { instanceOf: RangeError, message: /thread id/ });
  t.throws(() => affinityOf(-1), { instanceOf: RangeError });
});

pinning('usage counts this thread, and a small or wrong array is misuse', (t) => {
  const [before, after] = [new Float64Array(5), new Float64Array(6).fill(7)];
  usage(before);
  const touched = new Uint8Array(8 << 20).fill(1);
  usage(after);
  t.is(touched[0], 1);
  t.true(after[2]! - before[2]! >= 1, 'touching 8 MiB takes page faults');
  t.true(after[4]! > before[4]!);
  t.is(after[5], 7);
  t.true(before.every((value) => Number.isFinite(value) && value >= 0));
  t.throws(() => usage(new Float64Array(4)), { instanceOf: TypeError });
  t.throws(() => usage(new Int32Array(5) as unknown as Float64Array), { instanceOf: TypeError });
});

test('without the addon: null, NaN and refusals that say so', async (t) => {
  const script = `
    const cpu = await import('#lib/cpu/index.js');
    const into = new Float64Array(5);
    cpu.usage(into);
    try { cpu.usage(new Float64Array(4)); throw 'no error'; } catch (error) { if (!(error instanceof TypeError)) throw error; }
    await cpu.ensurePool();
    console.log(JSON.stringify([cpu.allowedCpus(), cpu.threads(), cpu.threadId(), cpu.currentCpu(), [...into].every(Number.isNaN),
      cpu.pinSelf([0]), cpu.pinOthers([0]), cpu.pinProcess(0, [0]), cpu.affinityOf(0), cpu.restore()]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TSCOPE_NO_ADDON: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const [allowed, list, tid, current, allNaN, ...outcomes] = JSON.parse(String(text));
  t.deepEqual([allowed, list, tid, current, allNaN], [null, null, null, null, true]);
  t.deepEqual(outcomes.pop(), { ok: true, restored: 0 });
  for (const outcome of outcomes) {
    t.is(outcome.code, 'NO_ADDON');
    t.regex(outcome.hint, /build:addon/);
  }
});

async function pinnedWorker(t: ExecutionContext) {
  const url = import.meta.resolve('#lib/cpu/index.js');
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     import(${JSON.stringify(url)}).then((cpu) => {
       parentPort.on('message', (m) => {
         if (m.pin !== undefined) parentPort.postMessage(cpu.pinSelf([m.pin]));
         else if (m === 'role') parentPort.postMessage(cpu.threads().find((x) => x.tid === cpu.threadId()).role);
         else parentPort.close();
       });
       parentPort.postMessage(cpu.threadId());
     });`,
    { eval: true },
  );
  const [tid] = (await once(worker, 'message')) as [number];
  t.true(tid > 0 && tid !== threadId());
  const ask = async (message: unknown) => {
    worker.postMessage(message);
    return (await once(worker, 'message'))[0];
  };
  return {
    tid,
    pin: (cpu: number) => ask({ pin: cpu }),
    role: () => ask('role'),
    end: async () => {
      worker.postMessage('end');
      await once(worker, 'exit');
    },
  };
}
