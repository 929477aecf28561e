import { loadAddon } from '../native/index.js';
import type { CountersSurface } from '../native/surface/counters.js';

/** The addon's counter functions; null without the addon. */
export function surface(): CountersSurface | null {
  return loadAddon().addon?.counters ?? null;
}

/** Why there are none; null when there are. */
export function surfaceReason(): string | null {
  const { addon, reason } = loadAddon();
  return addon && !addon.counters ? 'it is older than this code' : reason;
}
