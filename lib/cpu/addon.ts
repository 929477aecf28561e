import { loadAddon } from '../native/load.js';
import type { CpuSurface } from '../native/surface/cpu.js';

/** The addon's CPU functions; null without the addon. */
export function surface(): CpuSurface | null {
  return loadAddon().addon?.cpu ?? null;
}

/** Why there are none; null when there are. */
export function surfaceReason(): string | null {
  const { addon, reason } = loadAddon();
  return addon && !addon.cpu ? 'it is older than this code' : reason;
}
