import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type Capability, loadAddon } from '#lib/native/index.js';

const LOAD = new URL(import.meta.resolve('#lib/native/index.js'));
const SCRIPT = `import { capabilities, loadAddon } from ${JSON.stringify(LOAD.href)};
const { addon, reason } = loadAddon();
console.log(JSON.stringify({ loaded: addon !== null, reason, list: capabilities() }));`;

interface Report {
  readonly loaded: boolean;
  readonly reason: string | null;
  readonly list: readonly Capability[];
}

function child(env: Record<string, string>, flags: string[] = []): Report {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', SCRIPT], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

test('the addon is there when it must be', (t) => {
  const { addon, reason } = loadAddon();
  if (process.env.TSCOPE_REQUIRE_ADDON === '1') t.truthy(addon, reason ?? '');
  t.is(addon === null, reason !== null);
  t.is(loadAddon(), loadAddon());
});

test('switched off, it says so, for every capability', (t) => {
  const { loaded, reason, list } = child({ TSCOPE_NO_ADDON: '1' });
  t.false(loaded);
  t.regex(reason!, /TSCOPE_NO_ADDON=1/);
  t.true(list.length > 1);
  t.true(list.every((c) => !c.available && c.reason === reason));
});

test('a file that is not there and a file that is no addon', (t) => {
  t.is(
    child({ TSCOPE_ADDON_PATH: '/nonexistent/tscope.node' }).reason,
    'there is no file /nonexistent/tscope.node, which TSCOPE_ADDON_PATH names: correct it, or unset it to use the addon that was built here',
  );
  const damaged = child({ TSCOPE_ADDON_PATH: fileURLToPath(import.meta.url) });
  t.regex(damaged.reason!, /TSCOPE_ADDON_PATH names does not load .*load\.test\.js: /);
});

test('blocked by node itself', (t) => {
  t.regex(child({}, ['--no-addons']).reason!, /--allow-addons/);
});
