/** The package as a user gets it: packed, installed into an empty project without scripts, run on every Node. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { nodesUnderTest } from '../nodes.js';
import { ROOT } from '../support/cli.js';

const work = mkdtempSync(join(tmpdir(), 'tscope-pack-'));
test.after.always(() => rmSync(work, { recursive: true, force: true }));

const project = join(work, 'project');
const installed = join(project, 'node_modules/tscope');
let tarball = '';

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr, all: `${stdout}${stderr}${error ?? ''}` };
}

const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

/** A copy to pack in, because packing builds anew what other tests use. */
function copyOfSources(): string {
  const folder = join(work, 'sources');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    if (/^(test|bench|docs|examples)\//.test(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

test.before('pack and install', (t) => {
  t.timeout(15 * 60_000);
  const packed = run('npm', ['pack', '--silent', '--pack-destination', work], copyOfSources());
  t.is(packed.status, 0, packed.all);
  const name = readdirSync(work).find((file) => file.endsWith('.tgz'));
  t.truthy(name, packed.all);
  tarball = join(work, name!);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  const install = run(
    'npm',
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball],
    project,
  );
  t.is(install.status, 0, install.all);
  writeFileSync(
    join(project, 'list.bench.ts'),
    `import { suite } from 'tscope';
export default suite('List', {
  setup: (): number[] => Array.from({ length: 100 }, (_, i) => i),
  benchmarks: { sum: (list) => list.reduce((a, b) => a + b, 0) },
});`,
  );
});

const listed = () =>
  execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map((file) => file.replace(/^package\//, ''));

test.serial('the tarball holds what is needed and nothing of the workshop', (t) => {
  const files = listed();
  for (const needed of [
    'dist/index.js',
    'dist/index.d.ts',
    'dist/index.js.map',
    'dist/index.d.ts.map',
    'lib/index.ts',
    'dist/cli/main.js',
    'dist/adapters/tinybench.js',
    'LICENSE',
    'README.md',
  ]) {
    t.true(files.includes(needed), needed);
  }
  t.deepEqual(files.filter((file) => file.startsWith(`prebuilds/${process.platform}-${process.arch}/`)).length, 1);
  t.deepEqual(
    files.filter((file) => /^(test|bench|out|build|\.cache|\.ci|node_modules)\//.test(file)),
    [],
  );
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { scripts: object };
  for (const hook of ['preinstall', 'install', 'postinstall'])
    t.false(hook in scripts, `no script runs at installation: ${hook}`);
});

const SHORT = ['-f', '1', '-wi', '1', '-w', '20ms', '-i', '2', '-r', '20ms'];
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TSCOPE|NODE)_/.test(name)));
const tscope = (node: string, args: readonly string[]) =>
  run(node, [join(installed, 'dist/cli/main.js'), ...args], project, clean);

interface Json {
  readonly environment: { readonly backend: string; readonly backendReason: string | null };
  readonly trials: readonly { readonly status: string; readonly findings: readonly { readonly id: string }[] }[];
}

for (const { name, executable, reason } of nodesUnderTest()) {
  if (executable === null) {
    test.serial.skip(`${name}: ${reason}`, () => {});
    continue;
  }
  test.serial(`${name} measures with the addon that is in the package`, (t) => {
    const { status, stdout, all } = tscope(executable, ['run', 'list.bench.ts', ...SHORT, '--json']);
    t.is(status, 0, all);
    const { environment, trials } = JSON.parse(stdout) as Json;
    t.is(environment.backend, 'addon', environment.backendReason ?? '');
    t.is(trials[0]!.status, 'ok');
  });
}

test.serial('the program embeds: run() from the installed package', (t) => {
  const program = `import { run } from 'tscope';
const { trials, environment } = await run('list.bench.ts', { forks: 1, iterations: 1, iterationTime: 20, warmupIterations: 1, warmupTime: 20 }).result;
console.log(trials[0].status, environment.backend);`;
  const { stdout, all } = run(process.execPath, ['--input-type=module', '-e', program], project, clean);
  t.is(stdout.trim(), 'ok addon', all);
});

for (const moduleResolution of ['node16', 'nodenext', 'bundler']) {
  test.serial(`types of every entry point resolve under ${moduleResolution}, and hold without skipLibCheck`, (t) => {
    cpSync(join(ROOT, 'test/packaging/consumer.ts.txt'), join(project, 'consumer.ts'));
    const options = {
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
    const { status, all } = run(process.execPath, [bin('tsc'), '-p', '.'], project);
    t.is(status, 0, all);
  });
}

test.serial('publint and arethetypeswrong (ESM only) have nothing to say', (t) => {
  const publint = run(process.execPath, [bin('publint'), 'run', '--strict', tarball], project);
  t.is(publint.status, 0, publint.all);
  const attw = run(
    process.execPath,
    [bin('attw'), tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'],
    project,
  );
  t.is(attw.status, 0, attw.all);
});

test.serial('knip: no unused file, dependency or export', (t) => {
  const { status, all } = run(process.execPath, [bin('knip'), '--no-progress'], ROOT);
  t.is(status, 0, all);
});

test.serial('without the addon it falls back, and says so in the result and on the screen', (t) => {
  rmSync(join(installed, 'prebuilds'), { recursive: true });
  const { status, stdout, all } = tscope(process.execPath, ['run', 'list.bench.ts', ...SHORT, '--json']);
  t.is(status, 0, all);
  const { environment, trials } = JSON.parse(stdout) as Json;
  t.is(environment.backend, 'hrtime');
  t.regex(environment.backendReason!, /there is no addon for /);
  t.true(trials[0]!.findings.some(({ id }) => id === 'no-addon'));
  t.regex(tscope(process.execPath, ['run', 'list.bench.ts', ...SHORT]).stdout, /no addon: there is no addon for /);
});
