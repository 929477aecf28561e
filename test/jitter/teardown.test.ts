import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { start } from '#lib/jitter/index.js';
import { loadAddon } from '#lib/native/load.js';

const run = promisify(execFile);
const withAddon = loadAddon().addon ? test.serial : test.serial.skip;
const library = JSON.stringify(new URL('../../../dist/jitter/index.js', import.meta.url).href);
const inProcess = (code: string) =>
  run(process.execPath, ['--input-type=module', '-e', `import { start } from ${library};${code}`], { timeout: 30_000 });

withAddon('a process may exit while samplers run', async (t) => {
  const begin = `const a = start({ kind: 'spin' }), b = start({ kind: 'sleep' }); if (!a.ok || !b.ok) process.exit(9);`;
  const ends = {
    'process.exit': `${begin} void a.result(); setTimeout(() => process.exit(3), 20);`,
    'an exception': `${begin} void a.result(); setTimeout(() => { throw new Error('planned'); }, 20);`,
    'nothing left to do': `${begin} process.exitCode = 3;`,
  };
  for (const [name, code] of Object.entries(ends)) {
    const { code: exit, signal } = (await t.throwsAsync(inProcess(code), undefined, name)) as unknown as {
      code: number;
      signal: string | null;
    };
    t.is(signal, null, name);
    t.is(exit, name === 'an exception' ? 1 : 3, name);
  }
});

withAddon('a result that was asked for keeps the process alive, one that was not does not', async (t) => {
  const { stdout } = await inProcess(
    `const s = start({ durationMs: 50 }); s.result().then((r) => console.log(r.stopped));`,
  );
  t.is(stdout, 'false\n');
});

withAddon('workers may be terminated while their samplers run; their CPUs are free afterwards', async (t) => {
  const file = fileURLToPath(new URL('children/worker.js', import.meta.url));
  for (let i = 0; i < 20; i++) {
    const worker = new Worker(file);
    await new Promise((resolve) => worker.once('message', resolve));
    await worker.terminate();
  }
  const sampler = start({ durationMs: 1 });
  if (!sampler.ok) return t.fail(sampler.message);
  t.true((await sampler.result()).turns > 0);
});

withAddon('four workers sample at once', async (t) => {
  const file = fileURLToPath(new URL('children/worker.js', import.meta.url));
  const workers = [0, 1, 2, 3].map(() => new Worker(file, { workerData: { durationMs: 30 } }));
  const turns = await Promise.all(
    workers.map((worker) => new Promise<number>((resolve) => worker.on('message', (n) => n > 0 && resolve(n)))),
  );
  t.is(turns.length, 4);
  await Promise.all(workers.map((worker) => worker.terminate()));
});
