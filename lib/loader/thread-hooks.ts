/** Hooks of module.register, for Node without module.registerHooks (20, and 22 before 22.15): they run on a thread of their own. */
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import {
  codeOf,
  type Filler,
  fillerFor,
  type HookConfig,
  noteLoaded,
  typeScriptPath,
  typeScriptSpecifier,
} from './register.js';

let cacheDir: string;
let filler: Filler;
let cell: Int32Array;

export const initialize: InitializeHook<{ config: HookConfig; cell: Int32Array }> = async (data) => {
  cell = data.cell;
  cacheDir = data.config.cacheDir;
  filler = await fillerFor(data.config);
};

export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  nextResolve(typeScriptSpecifier(specifier, context.parentURL), context);

export const load: LoadHook = (url, context, nextLoad) => {
  const file = typeScriptPath(url);
  if (file === null) return nextLoad(url, context);
  const { code, how } = codeOf(file, cacheDir, filler);
  noteLoaded(cell, how);
  return { format: 'module', source: code, shortCircuit: true };
};
