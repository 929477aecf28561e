// Puts the 45 modules of a fork into a few files: each module costs 0.2 to 0.4 ms of CPU before the first invocation, in every fork.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** One copy of the addon's loader for the fork and whatever else of this package the user's file imports: a thread has one addon. */
const SHARED = '../native/load.js';

/** Writes `fork/main.js` and `fork/thread.js` below `dist`, which stand in for those of `engine/`. Nothing is minified or renamed. */
export async function bundleForks(dist) {
  rmSync(join(dist, 'fork'), { recursive: true, force: true });
  await build({
    entryPoints: [join(dist, 'engine/main.js'), join(dist, 'engine/thread.js')],
    outdir: join(dist, 'fork'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [
      {
        name: 'shared',
        setup({ onResolve }) {
          onResolve({ filter: /\/native\/load\.js$/ }, () => ({ path: SHARED, external: true }));
        },
      },
    ],
  });
}
