import type { MeasureEvent } from './measure.js';

export interface PlanProgress {
  event(event: MeasureEvent): void;
}

/**
 * One line a second while runs last. It follows the plan by the host's own clock: the measuring process is not asked and does not know.
 * @param write Gets whole lines.
 */
export function planProgress(
  write: (text: string) => void,
  nowMs: () => number = () => performance.now(),
): PlanProgress {
  let timer: NodeJS.Timeout | undefined;
  return {
    event(event) {
      clearInterval(timer);
      if (event.type !== 'running') return;
      const begun = nowMs();
      const { name, run, runs, plannedNs } = event;
      const planned = (plannedNs / 1e9).toFixed(0);
      timer = setInterval(() => {
        const passed = ((nowMs() - begun) / 1000).toFixed(0);
        write(`${name}: run ${run} of ${runs}, ${passed} s of ${planned} s planned\n`);
      }, 1000);
      timer.unref();
    },
  };
}
