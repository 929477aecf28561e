// Makes what `npm pack` and `npm publish` put into the package: a clean dist/, and the addon of this platform in
// prebuilds/<platform>-<arch>/, where lib/native/load.ts looks (node-gyp-build's layout). Prebuilds of other platforms that lie
// there already are kept, so that a release can collect them from several machines.
// The addon carries libstdc++ and libgcc in itself, so that an older distribution can load it; it still needs this machine's glibc or newer.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status === 0) return;
  console.error(
    `prepack: ${[command, ...args].join(' ')} failed${error ? ` (${error.message})` : ''}; nothing is packed.`,
  );
  process.exit(status ?? 1);
}

// Files of sources that are gone would otherwise be packed.
rmSync(join(root, 'dist'), { recursive: true, force: true });
rmSync(join(root, 'out/lib.tsbuildinfo'), { force: true });
run(process.execPath, ['scripts/build.mjs', 'ts']);

const linux = process.platform === 'linux';
const flags = linux ? { LDFLAGS: `${process.env.LDFLAGS ?? ''} -static-libstdc++ -static-libgcc`.trim() } : {};
run(process.execPath, ['scripts/build.mjs', 'addon'], { ...flags, TSCOPE_REQUIRE_ADDON: '1' });

const libc = linux ? (process.report.getReport().header.glibcVersionRuntime ? '.glibc' : '.musl') : '';
const folder = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
const target = join(folder, `tscope${libc}.node`);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!linux || name.includes(libc)) rmSync(join(folder, name));
copyFileSync(join(root, 'build/Release/tscope.node'), target);
if (linux) run('strip', ['--strip-unneeded', target]);

const check = `const m = { exports: {} }; process.dlopen(m, ${JSON.stringify(target)}); if (!m.exports.clock) process.exit(1);`;
run(process.execPath, ['-e', check]);
if (!existsSync(join(root, 'dist/cli/main.js'))) {
  console.error('prepack: dist/cli/main.js is missing; nothing is packed.');
  process.exit(1);
}
console.log(`prepack: ${target.slice(root.length + 1)}`);
