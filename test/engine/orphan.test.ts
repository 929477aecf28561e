import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { loadAddon } from '#lib/native/load.js';
import { ROOT, SHORT, scratch, start } from '../support/cli.js';

const withLinuxAddon = process.platform === 'linux' && loadAddon().addon ? test.serial : test.serial.skip;

/** Until `value` is there; null after ten seconds. */
async function eventually<T>(value: () => T | null): Promise<T | null> {
  for (let i = 0; i < 500; i++) {
    const found = value();
    if (found !== null) return found;
    await sleep(20);
  }
  return null;
}

/** Whether `pid` still runs; a zombie does not. */
const runs = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Kills the host of a process that runs user code without end, and expects that process to end with it. */
async function endsWithHost(t: ExecutionContext, source: string) {
  const cwd = scratch(t);
  const mark = join(cwd, 'pid');
  const body = `writeFileSync(${JSON.stringify(mark)}, String(process.pid)); for (;;) {}`;
  const index = JSON.stringify(join(ROOT, 'dist/index.js'));
  writeFileSync(
    join(cwd, 'endless.bench.mjs'),
    `import { writeFileSync } from 'node:fs';\nimport { suite } from ${index};\n${source.replace('BODY', body)}\n`,
  );
  const { child, finished } = start(['run', 'endless.bench.mjs', '--no-config', ...SHORT], { cwd });
  const pid = await eventually(() => (existsSync(mark) && Number(readFileSync(mark, 'utf8'))) || null);
  child.kill('SIGKILL');
  await finished;
  if (pid === null) return t.fail('it never ran');
  const ended = await eventually(() => (runs(pid) ? null : true));
  if (ended === null) process.kill(pid, 'SIGKILL');
  t.true(ended);
}

test('a fork whose host is gone ends at its next message', async (t) => {
  const emit = join(ROOT, 'dist/engine/emit.js');
  const script = `
    import { emitter } from ${JSON.stringify(emit)};
    const emit = emitter('token');
    setInterval(() => emit({ type: 'hello', protocol: 1, pid: process.pid }), 20);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  t.is(code, 1);
});

// An endless loop sends no message at which it could notice: it kept a CPU busy for ever, beside everything that was measured after it.
withLinuxAddon('a fork in an endless loop ends with its host', async (t) => {
  await endsWithHost(t, `export default suite('Endless', { benchmarks: { spin: () => { BODY } } });`);
});

withLinuxAddon('so does the process that loads a file which never ends', async (t) => {
  await endsWithHost(t, 'BODY');
});
