import { formatDuration } from '../../suite/duration.js';
import type { Io } from '../io.js';

/** A line that replaces itself on a terminal; nothing elsewhere. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/**
 * The progress line on stderr. It is drawn when told to (between forks) and at most once a second, so that the host stays silent while a fork
 * measures; on anything but a terminal it does nothing.
 */
export function progressLine(io: Pick<Io, 'err' | 'interactive' | 'columns'>, nowMs: () => number): ProgressLine {
  let last = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    show(text) {
      if (!io.interactive || nowMs() - last < 1000) return;
      last = nowMs();
      drawn = true;
      io.err(`\r\x1b[K${text.slice(0, Math.max(20, io.columns - 1))}`);
    },
    clear() {
      if (drawn) io.err('\r\x1b[K');
      drawn = false;
    },
  };
}

/** `12/40 forks, 30 %, ETA 1.2 min, Hash.mix(7, 64)`. */
export function progressText(progress: {
  readonly done: number;
  readonly total: number;
  readonly etaMs: number | null;
  readonly trial: string;
}): string {
  const share = progress.total === 0 ? 100 : Math.floor((100 * progress.done) / progress.total);
  const eta = progress.etaMs === null ? '' : `, ETA ${formatDuration(progress.etaMs)}`;
  return `${progress.done}/${progress.total} forks, ${share} %${eta}, ${progress.trial}`;
}
