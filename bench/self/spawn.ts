/**
 * How long a fork takes from spawn to the first invocation of a TypeScript benchmark whose stripped form is cached, against the whole
 * life of `node -e 0`, side by side. Prints ratios for this Node and the others installed by scripts/nodes.mjs.
 *
 * Run: `node scripts/build.mjs test && node out/bench/self/spawn.js [rounds]`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loaderArgs } from '#lib/loader/index.js';
import { localLauncher, type TrialPlan } from '#lib/runner/index.js';
import { nodesUnderTest } from '../../test/nodes.js';
import { runTrials } from '../../test/support/run-trials.js';
import { trialPlan } from '../../test/support/trial-plan.js';

const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'tscope-spawn-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const typed = join(folder, 'empty.bench.ts');
const plain = join(folder, 'empty.bench.mjs');
writeFileSync(join(folder, 'package.json'), '{}');
const source = (
  type: string,
) => `import { suite } from '${pathToFileURL(join(import.meta.dirname, '../../../dist/index.js')).href}';
export default suite('Empty', { setup: () => ({ x: 1 }), benchmarks: { empty: (state${type}) => state.x } });
`;
writeFileSync(typed, source(': { x: number }'));
writeFileSync(plain, source(''));
const loader = { cacheDir: join(folder, 'cache'), mode: 'strip' as const };

function trial(nodeExecutable: string, file: string): TrialPlan {
  return trialPlan({
    file,
    fileLabel: basename(file),
    plain: file === plain,
    suite: 'Empty',
    benchmark: 'empty',
    fork: { warmupIterations: 0 },
    nodeExecutable,
  });
}

/** The start of one fork, ms. */
async function fork(nodeExecutable: string, file: string, seed: number) {
  const [done] = await runTrials([trial(nodeExecutable, file)], { seed, loader });
  return done!.forks[0]!.startup;
}

/** Spawn to exit of a node with these arguments, ms. */
async function bare(nodeExecutable: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const env = { PATH: process.env.PATH ?? '' };
  const argv = [nodeExecutable, ...args];
  await localLauncher()({ argv, env, cwd: folder, stdin: '', onStdout() {}, onStderr() {} }).ended;
  return performance.now() - start;
}

const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;

console.log(
  'spawn to first invocation of a cached .ts file, over the life of `node -e 0` right before it: median of the ratios (minimum over minimum); aim 1.4, on Node 20 2',
);
for (const { name, executable, reason } of nodesUnderTest()) {
  if (executable === null) {
    console.log(`${name}: skipped, ${reason}`);
    continue;
  }
  // Fills the cache.
  await fork(executable, typed, 0);
  const empty: number[] = [];
  const times: Record<'hook' | 'entry' | 'first' | 'plain', number[]> = { hook: [], entry: [], first: [], plain: [] };
  for (let round = 0; round < rounds; round++) {
    empty.push(await bare(executable, ['-e', '0']));
    const startup = await fork(executable, typed, round + 1);
    times.entry.push(startup.spawnToEntryMs!);
    times.first.push(startup.spawnToFirstInvocationMs!);
    times.plain.push((await fork(executable, plain, round + 1)).spawnToFirstInvocationMs!);
    times.hook.push(await bare(executable, [...loaderArgs(loader, false), '-e', '0']));
  }
  const ratio = (key: keyof typeof times) => {
    const paired = middle(times[key].map((ms, round) => ms / empty[round]!));
    return `${paired.toFixed(2)} (${(Math.min(...times[key]) / Math.min(...empty)).toFixed(2)})`;
  };
  console.log(
    `${name}: first invocation ${ratio('first')}; of a plain .mjs file ${ratio('plain')}; engine entered ${ratio('entry')}; hook alone ${ratio('hook')}; node -e 0 at least ${Math.min(...empty).toFixed(1)} ms`,
  );
}
