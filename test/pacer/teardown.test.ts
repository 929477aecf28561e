import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { loadAddon } from '#lib/native/load.js';
import { start } from '#lib/pacer/index.js';

const run = promisify(execFile);
const withAddon = loadAddon().addon ? test.serial : test.serial.skip;
const library = JSON.stringify(new URL('../../../dist/pacer/index.js', import.meta.url).href);
const inProcess = (code: string) =>
  run(process.execPath, ['--input-type=module', '-e', `import { openDeadline, start } from ${library};${code}`], {
    timeout: 30_000,
  });
const BEGIN = `
  const pacer = start({ plan: Float64Array.from({ length: 1e6 }, (_, i) => i * 1e4), ringCapacity: 1024 });
  const deadline = openDeadline();
  if (!pacer.ok || !deadline.ok) process.exit(9);
  deadline.armIn(3.6e12);`;

withAddon('a process may exit while a pacer and a deadline timer run', async (t) => {
  const ends = [
    `void pacer.result(); setTimeout(() => process.exit(3), 20);`,
    `void pacer.ring.wait().then(() => process.exit(3));`,
    `process.exitCode = 3;`,
  ];
  for (const end of ends) {
    const { code, signal } = (await t.throwsAsync(inProcess(BEGIN + end), undefined, end)) as unknown as {
      code: number;
      signal: string | null;
    };
    t.is(signal, null, end);
    t.is(code, 3, end);
  }
});

withAddon('waiting for an entry, a result or the end of a timer keeps the process alive', async (t) => {
  const { stdout } = await inProcess(`
    const pacer = start({ plan: Float64Array.of(2e7), ringCapacity: 16 });
    console.log(await pacer.ring.wait());
    console.log((await pacer.result()).released);
    const deadline = openDeadline();
    await deadline.close();
    console.log('closed');`);
  t.is(stdout, 'true\n1\nclosed\n');
});

withAddon('workers may be terminated while their pacers and timers run', async (t) => {
  const file = fileURLToPath(new URL('children/owner.js', import.meta.url));
  for (let i = 0; i < 20; i++) {
    const worker = new Worker(file);
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
  }
  const pacer = start({ plan: Float64Array.of(0), ringCapacity: 16 });
  if (!pacer.ok) return t.fail(pacer.message);
  t.is((await pacer.result()).released, 1);
});
