import type { AddonSurface } from './surface.js';

const { existsSync, readdirSync } = process.getBuiltinModule('node:fs');
const { join } = process.getBuiltinModule('node:path');

/** The addon, or why there is none. */
export interface LoadedAddon {
  readonly addon: AddonSurface | null;
  /** Null when `addon` is there. One sentence that says what to do. */
  readonly reason: string | null;
  /** File it was loaded from. */
  readonly path: string | null;
}

let loaded: LoadedAddon | null = null;

/**
 * Loads the addon once per thread; never throws. Candidates in order: `TSCOPE_ADDON_PATH`, `build/Release/tscope.node` (built
 * here), `prebuilds/<platform>-<arch>/*.node` (shipped; node-gyp-build's layout). `TSCOPE_NO_ADDON=1` forces its absence.
 *
 * process.dlopen instead of require: nothing to import and no resolution, so that a fork pays for the dlopen alone.
 */
export function loadAddon(): LoadedAddon {
  loaded ??= load();
  return loaded;
}

function load(): LoadedAddon {
  if (process.env.TSCOPE_NO_ADDON === '1') return absent('the addon is switched off by TSCOPE_NO_ADDON=1');
  const failures: string[] = [];
  for (const path of candidates()) {
    try {
      const module: { exports: AddonSurface } = { exports: {} };
      process.dlopen(module, path);
      return { addon: module.exports, reason: null, path };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_DLOPEN_DISABLED') {
        return absent('addons are blocked in this process: run node with --allow-addons (and without --no-addons)');
      }
      // A missing candidate is no news; a file that is there and does not load is, also for want of a library of its own.
      const missing = /cannot open shared object file|no such file|not found|could not be found/i.test(message);
      if (!missing || existsSync(path)) {
        const [first] = message.split('\n') as [string];
        failures.push(first.startsWith(`${path}: `) ? first : `${path}: ${first}`);
      }
    }
  }
  const named = process.env.TSCOPE_ADDON_PATH;
  if (named) {
    return absent(
      failures.length === 0
        ? `there is no file ${named}, which TSCOPE_ADDON_PATH names: correct it, or unset it to use the addon that was built here`
        : `the addon that TSCOPE_ADDON_PATH names does not load (${failures.join('; ')}): correct it, or unset it to use the addon that was built here`,
    );
  }
  if (failures.length > 0)
    return absent(`the addon does not load (${failures.join('; ')}): run \`npm run build:addon\``);
  return absent(
    `there is no addon for ${process.platform}-${process.arch}: run \`npm run build:addon\` in a checkout of tscope (needs a C++17 compiler and Python); where tscope is installed as a package, name the file built there in TSCOPE_ADDON_PATH`,
  );
}

function absent(reason: string): LoadedAddon {
  return { addon: null, reason, path: null };
}

function* candidates(): Generator<string> {
  const override = process.env.TSCOPE_ADDON_PATH;
  if (override) {
    yield override;
    return;
  }
  const root = join(import.meta.dirname, '../..');
  yield join(root, 'build/Release/tscope.node');
  const folder = join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // No prebuilds in this installation.
  }
  // The wrong C library does not load, so order does not matter.
  for (const name of names) if (name.endsWith('.node')) yield join(folder, name);
}
