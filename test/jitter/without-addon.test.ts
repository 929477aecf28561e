import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);
const dist = (file: string) => JSON.stringify(new URL(`../../../dist/${file}`, import.meta.url).href);

test('without the addon everything native is refused as a value that says why', async (t) => {
  const code = `
    import * as jitter from ${dist('jitter/index.js')};
    import * as pacer from ${dist('pacer/index.js')};
    import { openRecorder } from ${dist('recorder/index.js')};
    import { runJitter } from ${dist('cli/commands/jitter.js')};
    const refusals = [jitter.start(), pacer.start({ plan: new Float64Array(1), ringCapacity: 16 }), pacer.openDeadline(), openRecorder()];
    let err = '';
    const exit = await runJitter({}, { out() {}, err: (text) => { err += text; } });
    console.log(JSON.stringify({ refusals, exit, err }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, TSCOPE_NO_ADDON: '1' },
  });
  const { refusals, exit, err } = JSON.parse(stdout);
  for (const refusal of refusals) {
    t.false(refusal.ok);
    t.is(refusal.code, 'NO_ADDON');
    t.regex(refusal.message, /TSCOPE_NO_ADDON/);
    t.truthy(refusal.hint);
  }
  t.is(exit, 3);
  t.regex(err, /TSCOPE_NO_ADDON/);
});
