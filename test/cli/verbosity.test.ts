import test from 'ava';
import { fixture, SHORT, scratch, tscope } from '../support/cli.js';

const steps = fixture('cli/fixtures/steps.bench.ts');

test('EXTRA shows the command of every fork, so that one can be started by hand; SILENT shows nothing', async (t) => {
  const cwd = scratch(t);
  const args = ['run', steps, ...SHORT, '-f', '2', '-p', 'steps=50', '--node-args=--max-semi-space-size=16'];
  const extra = await tscope([...args, '--verbosity', 'EXTRA'], { cwd });
  t.is(extra.code, 0, extra.stderr);
  const commands = extra.stderr.split('\n').filter((line) => line.startsWith('tscope: fork: '));
  t.is(commands.length, 2);
  for (const command of commands) {
    t.true(command.includes(` ${process.execPath} --max-semi-space-size=16 `), command);
    t.regex(command, /main\.js$/);
  }
  const silent = await tscope([...args, '--verbosity', 'SILENT'], { cwd });
  t.is(silent.code, 0);
  t.is(silent.stderr, '');
});
