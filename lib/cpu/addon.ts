import { createRequire } from 'node:module';
import type { CpuSurface } from '../native/surface/cpu.js';
import type { AddonSurface } from '../native/surface.js';

let loaded: CpuSurface | null | undefined;
let reason: string | null = null;

/** The addon's CPU functions; null without the addon. */
export function surface(): CpuSurface | null {
  if (loaded !== undefined) return loaded;
  try {
    if (process.env.TSCOPE_NO_ADDON === '1') throw new Error('TSCOPE_NO_ADDON=1');
    loaded = (createRequire(import.meta.url)('../../build/Release/tscope.node') as AddonSurface).cpu ?? null;
  } catch (error) {
    loaded = null;
    reason = (error as Error).message.split('\n')[0] ?? '';
  }
  return loaded;
}

/** Why the addon is not loaded; null when it is. */
export function surfaceReason(): string | null {
  return reason;
}
