import { Histogram, type HistogramOptions } from './histogram.js';

/**
 * Histograms of consecutive intervals: values go to {@link current}, {@link take} hands out what came since the last take. Two histograms
 * change places, so that a recycled one makes taking free of allocation.
 */
export class IntervalRecorder {
  /** Record here; read the property anew after each {@link take}. */
  current: Histogram;
  private readonly options: HistogramOptions;

  constructor(options: HistogramOptions = {}) {
    this.options = options;
    this.current = new Histogram(options);
  }

  /** Records a value into the current interval. */
  record(value: number): void {
    this.current.record(value);
  }

  /**
   * Ends the interval: returns its histogram and starts the next.
   * @param recycle A histogram taken earlier that is no longer needed; it is emptied and used again.
   * @throws TypeError when `recycle` is the current interval.
   */
  take(recycle?: Histogram): Histogram {
    const taken = this.current;
    if (recycle === taken) throw new TypeError('histogram: the current interval cannot be recycled into itself');
    recycle?.reset();
    this.current = recycle ?? new Histogram(this.options);
    return taken;
  }
}
