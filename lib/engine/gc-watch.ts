/**
 * GC pauses from the performance timeline. Entries are queued natively and reach an observer some turns of the event
 * loop later, so a pause is attributed by its own start time, never by when it was heard of.
 */

import { nowMs, setImmediate } from './own-time.js';
import type { GcWatch } from './types.js';

const { setFlagsFromString } = process.getBuiltinModule('node:v8');
const { runInNewContext } = process.getBuiltinModule('node:vm');

/** Turns of the event loop after which every pause has arrived (2 were needed on Node 20 to 26; one more for safety). */
const TURNS = 3;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Starts listening; call it before anything that should be seen. */
export function watchGc(): GcWatch {
  let pauses: { readonly at: number; readonly ms: number }[] = [];
  const hear = (list: { getEntries(): readonly { startTime: number; duration: number }[] }) => {
    for (const entry of list.getEntries()) pauses.push({ at: entry.startTime, ms: entry.duration });
  };
  const observer = new PerformanceObserver(hear);
  observer.observe({ entryTypes: ['gc'] });

  let gc: (() => void) | null | undefined;
  return {
    now: nowMs,
    async between(from, to) {
      for (let i = 0; i < TURNS; i++) await turn();
      const inside = pauses.filter((pause) => pause.at >= from && pause.at <= to);
      pauses = pauses.filter((pause) => pause.at > to); // earlier ones are of no interest any more: memory stays flat
      return { count: inside.length, ns: inside.reduce((sum, pause) => sum + pause.ms * 1e6, 0) };
    },
    collect() {
      if (gc === undefined) {
        try {
          setFlagsFromString('--expose-gc');
          gc = runInNewContext('gc') as () => void;
        } catch {
          gc = null;
        }
      }
      gc?.();
      return gc !== null;
    },
  };
}
