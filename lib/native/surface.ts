import type { ClockSurface } from './surface/clock.js';
import type { CountersSurface } from './surface/counters.js';
import type { CpuSurface } from './surface/cpu.js';
import type { HistogramSurface } from './surface/histogram.js';
import type { JitterSurface } from './surface/jitter.js';
import type { DeadlineSurface, PacerSurface } from './surface/pacer.js';

/**
 * What the addon exports: one object per concern of native/core, typed by one file each in surface/. A concern may be missing
 * when the binary is older than this code, so each is optional; nothing above lib/native sees these names.
 */
export interface AddonSurface {
  readonly clock?: ClockSurface;
  readonly cpu?: CpuSurface;
  readonly counters?: CountersSurface;
  readonly histogram?: HistogramSurface;
  readonly jitter?: JitterSurface;
  readonly pacer?: PacerSurface;
  readonly deadline?: DeadlineSurface;
}
