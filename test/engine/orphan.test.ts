import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { ROOT } from '../support/cli.js';

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
