/** processIo: what it takes standard output for, in a process of its own whose standard output claims to be a terminal. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { ROOT } from '../support/cli.js';

const MODULE = pathToFileURL(join(ROOT, 'dist/cli/process-io.js')).href;

// Colours are asked of Node's own stream of a terminal; only that there is one is made up.
const TERMINAL = `
import { WriteStream } from 'node:tty';
const { getColorDepth, hasColors } = WriteStream.prototype;
Object.assign(process.stdout, { isTTY: true, columns: 132, getColorDepth, hasColors });
`;

function lookOf(before: string, own: NodeJS.ProcessEnv): unknown {
  const source = `${before}
const { processIo } = await import(${JSON.stringify(MODULE)});
const io = processIo();
io.out(JSON.stringify(io.look ?? null));`;
  // Nothing of the environment of the tests: a CI server, a terminal and its multiplexer all have a say in colours.
  const { SystemRoot } = process.env;
  const env = { ...(SystemRoot === undefined ? {} : { SystemRoot }), TERM: 'xterm-256color', ...own };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout + stderr;
  }
}

const COLORS: readonly (readonly [env: NodeJS.ProcessEnv, color: boolean])[] = [
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ NODE_DISABLE_COLORS: '1' }, false],
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  // Node's rule, which every tool of the ecosystem shares: what forces wins.
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true],
];

for (const [env, color] of COLORS) {
  test(`a terminal with ${JSON.stringify(env)} is ${color ? '' : 'not '}coloured`, (t) => {
    t.deepEqual(lookOf(TERMINAL, env), { terminal: true, width: 132, color });
  });
}

test('a pipe is plain, also with FORCE_COLOR, so that what is piped can be read', (t) => {
  t.is(lookOf('', { FORCE_COLOR: '3' }), null);
});

test('a pseudo-terminal of no width has 80 columns', (t) => {
  t.deepEqual(lookOf(`${TERMINAL}process.stdout.columns = 0;`, {}), { terminal: true, width: 80, color: true });
});
