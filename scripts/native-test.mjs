// Builds native/core with CMake and runs its unit tests. Arguments choose variants: plain asan ubsan tsan arm64 mingw. All by
// default but ubsan, because asan has both AddressSanitizer and UndefinedBehaviorSanitizer. What cannot run here is skipped with the reason. The last line is `N passed, N failed, N skipped`: test cases, plus
// one for a variant that only compiles, that does not build, or that is skipped.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const VARIANTS = {
  plain: { needs: [['c++', 'g++', 'clang++']] },
  asan: { needs: [['c++', 'g++', 'clang++']], configure: ['-DTSCOPE_SANITIZE=address,undefined'], sanitizer: true },
  ubsan: { needs: [['c++', 'g++', 'clang++']], configure: ['-DTSCOPE_SANITIZE=undefined'], sanitizer: true },
  // setarch -R: a wide address randomisation does not leave ThreadSanitizer the ranges it needs.
  tsan: {
    needs: [['c++', 'g++', 'clang++']],
    configure: ['-DTSCOPE_SANITIZE=thread'],
    sanitizer: true,
    wrap: ['setarch', '-R'],
  },
  arm64: {
    needs: [['aarch64-linux-gnu-g++'], ['qemu-aarch64']],
    packages: 'g++-aarch64-linux-gnu qemu-user',
    configure: ['-DCMAKE_TOOLCHAIN_FILE=native/cmake/arm64-linux.cmake'],
  },
  mingw: {
    needs: [['x86_64-w64-mingw32-g++-posix']],
    packages: 'g++-mingw-w64-x86-64',
    configure: ['-DCMAKE_TOOLCHAIN_FILE=native/cmake/mingw-w64.cmake'],
    compileOnly: true,
  },
};

const which = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
const doctest = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'].some((folder) =>
  existsSync(join(folder, 'doctest/doctest.h')),
);

/** Why a variant cannot run here; null if it can. */
function missing({ needs, packages = 'g++', sanitizer }) {
  if (!which('cmake')) return 'cmake is not installed';
  if (!doctest) return 'doctest.h is not installed (Debian: doctest-dev)';
  for (const names of needs)
    if (!names.some(which)) return `${names.join(' or ')} is not installed (Debian: ${packages})`;
  if (sanitizer && process.platform === 'win32') return 'sanitizers are not built on Windows';
  return null;
}

function run(command, args, show) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ASAN_OPTIONS: 'detect_stack_use_after_return=1', UBSAN_OPTIONS: 'print_stacktrace=1' },
  });
  const output = `${stdout ?? ''}${stderr ?? ''}${error ? `${error}\n` : ''}`;
  if (show || status !== 0) process.stdout.write(output);
  return { ok: status === 0, output };
}

const count = { passed: 0, failed: 0, skipped: 0 };

function variant(name) {
  const { configure = [], compileOnly, wrap = [], ...rest } = VARIANTS[name];
  const reason = missing(rest);
  if (reason) {
    console.log(`${name}: # SKIP ${reason}`);
    count.skipped++;
    return;
  }
  const folder = join('build-native', name);
  const built =
    run('cmake', ['-S', '.', '-B', folder, '-DCMAKE_BUILD_TYPE=RelWithDebInfo', ...configure]).ok &&
    run('cmake', ['--build', folder, '--parallel', String(availableParallelism())]).ok;
  if (!built || compileOnly) {
    count[built ? 'passed' : 'failed']++;
    console.log(`${name}: ${built ? 'compiles; nothing of it can run here' : 'does not build'}`);
    return;
  }
  const [command = 'ctest', ...before] = [...(wrap.length > 0 && which(wrap[0]) ? wrap : []), 'ctest'];
  const { ok, output } = run(command, [...before, '--test-dir', folder, '--verbose']);
  let [passed, failed, skipped] = [0, 0, 0];
  for (const match of output.matchAll(/test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped/g)) {
    passed += Number(match[1]);
    failed += Number(match[2]);
    skipped += Number(match[3]);
  }
  // A crash or a sanitizer report ends a test program before it counts.
  if (!ok && failed === 0) failed++;
  if (ok && passed === 0) failed++;
  for (const line of output.match(/SKIP: .*/g) ?? []) console.log(`${name}: ${line}`);
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  count.passed += passed;
  count.failed += failed;
  count.skipped += skipped;
}

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (name in VARIANTS) continue;
  console.error(`native-test: unknown variant "${name}"; use ${Object.keys(VARIANTS).join(', ')}`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(VARIANTS).filter((name) => name !== 'ubsan')) variant(name);
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed > 0 || count.passed + count.skipped === 0 ? 1 : 0;
