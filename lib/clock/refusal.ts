import { loadAddon } from '../native/load.js';
import type { ClockSurface } from '../native/surface/clock.js';
import { counterOf } from './addon.js';

/** What the machine does not give: a value, never a throw. */
export interface ClockRefusal {
  readonly ok: false;
  /** The system's number; null when no system call was made. */
  readonly errno: number | null;
  /** `NO_ADDON`, `NO_COUNTER`, `UNSTABLE`, `UNSUPPORTED`, `EINVAL`, `ETIME`. */
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

export function refuse(code: string, message: string, hint: string, errno: number | null = null): ClockRefusal {
  return { ok: false, errno, code, message, hint };
}

/** The addon's clock when it counts ticks, else why not. */
export function requireCounter(
  what: string,
):
  | { readonly ok: true; readonly surface: ClockSurface; readonly counter: ReturnType<typeof counterOf> }
  | ClockRefusal {
  const { addon, reason, path } = loadAddon();
  if (!addon?.clock) {
    return refuse(
      'NO_ADDON',
      `${what}: ${reason ?? 'the addon has no clock'}`,
      'It needs the native counter; build the addon.',
    );
  }
  const counter = counterOf(addon.clock, path);
  if (counter.opened.counting === 'ns') {
    return refuse(
      'NO_COUNTER',
      `${what}: ${counter.opened.reason}`,
      'Time comes from the kernel clock here, which needs no frequency.',
    );
  }
  return { ok: true, surface: addon.clock, counter };
}
