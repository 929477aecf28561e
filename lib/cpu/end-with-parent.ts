import { surface } from './addon.js';

/**
 * Has the kernel end this process with the one that started it (Linux with the addon; elsewhere it goes on until it next has something to
 * say). A process in an endless loop never learns that its host is gone, and would keep a CPU busy beside all that is measured later.
 * Call it before the first message: a parent that is gone already is noticed there.
 */
export function endWithParent(): void {
  surface()?.endWithParent?.();
}
