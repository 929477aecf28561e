import nodeModule from 'node:module';
import { loadedCell, noteLoaded } from './loaded.js';
import { typeScriptSpecifier } from './resolve.js';
import { codeOf, fillerFor, type HookConfig, typeScriptPath } from './source.js';

interface Context {
  readonly parentURL?: string;
}
interface Hooks {
  resolve(
    specifier: string,
    context: Context,
    next: (specifier: string, context?: Context) => { url: string; format?: string | null },
  ): object;
  load(url: string, context: object, next: (url: string, context?: object) => object): object;
}
/** Since Node 22.15; the types here are Node 20's. */
type RegisterHooks = (hooks: Hooks) => void;

/** Makes `import` load TypeScript in this thread, from now on. Synchronous hooks where Node has them, a hooks thread otherwise. */
export async function installHooks(config: HookConfig): Promise<void> {
  const cell = loadedCell();
  const registerHooks = (nodeModule as { registerHooks?: RegisterHooks }).registerHooks;
  if (!registerHooks) {
    nodeModule.register('./thread-hooks.js', import.meta.url, { data: { config, cell } });
    return;
  }
  const filler = await fillerFor(config);
  registerHooks({
    resolve(specifier, context, next) {
      return next(typeScriptSpecifier(specifier, context.parentURL), context);
    },
    load(url, context, next) {
      const path = typeScriptPath(url);
      if (path === null) return next(url, context);
      const { code, how } = codeOf(path, config.cacheDir, filler);
      noteLoaded(cell, how);
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
