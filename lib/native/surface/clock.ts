/** native/addon/clock.cc. Ticks and ns count from bases taken once per process, so all threads share one time line. */
export interface ClockSurface {
  /**
   * Hot reads for this environment. Each writes ticks since the base into `slot[0]` and returns nothing.
   * `kernel`: read the kernel clock even where the counter would do. `slot` is a Float64Array of at least 8 on a SharedArrayBuffer (which nobody can detach under the pointer).
   */
  open(
    slot: Float64Array,
    kernel: boolean,
  ): {
    readonly read: () => void;
    readonly readOrdered: () => void;
    /** `tsc`, `cntvct`, or the kernel clock's name (`monotonic-raw`, `qpc`, `monotonic`). */
    readonly source: string;
    /** The clock that frequencies and anchors refer to. */
    readonly kernelClock: string;
    /** `ns` when the kernel clock is the source: one tick is one ns and nothing is fitted. */
    readonly counting: 'ticks' | 'ns';
    /** Why the source is not the cycle counter; null when it is. */
    readonly reason: string | null;
    /** Native cost of one reading, ns; 0 when there is no counter. */
    readonly counterReadNs: number;
    readonly kernelReadNs: number;
  };
  /**
   * V8 fast calls that write into `slot` (the one given to `open`), or the reason why there are none. `claimed`: the exported
   * symbols `tscope_read` and `tscope_read_ordered` write there too. The slow twin of a fast call counts in `slot[7]`.
   */
  openFast(slot: Float64Array): {
    readonly claimed: boolean;
    readonly reason: string | null;
    readonly read?: () => void;
    readonly readOrdered?: () => void;
  };
  /** Native cost of one read, ns. */
  nativeCost(ordered: boolean): number;
  /** Fit over `ms`, blocking and sleeping in between; see `fit`. */
  calibrate(ms: number, points: number, parts: number): FrequencyFit;
  /** Backward steps among `n` readings. */
  backward(n: number): number;
  /** Counter of the second CPU minus the first, by exchanges between two pinned threads of the addon's own. */
  offset(firstCpu: number, secondCpu: number, exchanges: number, limitMs: number): NativeOffset;
  /** Executes the instruction in a child process. */
  probe(name: string): 'works' | 'faults' | 'unknown';
  /** Writes one point at `out[index]`: kernel ns, ticks, bracket width in ns, CPU (-1 unknown); the tightest of `tries`. */
  point(out: Float64Array, index: number, tries: number): void;
  /** Least squares over groups of 4 as `point` writes them; `parts` equal stretches give the repeated uncertainty. */
  fit(points: Float64Array, parts: number): FrequencyFit;
  /** Differences of `n` (2 to 65536) native readings at varied distances, in ticks: real step, gcd of all, smallest nonzero. */
  steps(
    n: number,
    kernel: boolean,
  ): {
    readonly granularity: number;
    readonly gcd: number;
    readonly smallest: number;
    readonly backward: number;
  };
  check(
    startNs: number,
    startTicks: number,
    startWidthNs: number,
    endNs: number,
    endTicks: number,
    endWidthNs: number,
    nsPerTick: number,
  ): {
    readonly driftNs: number;
    readonly ppm: number;
    readonly elapsedNs: number;
    readonly discontinuity: boolean;
  };
  features(): CounterFeatures;
}

/** A line through (kernel ns, ticks) points. */
export interface FrequencyFit {
  /** False when fewer than 3 points were usable; the numbers are then 0. */
  readonly valid: boolean;
  readonly hz: number;
  /** Standard error predicted from the residuals, ppm of hz. */
  readonly sePpm: number;
  /** Spread between stretches of the window over the square root of their number, ppm; 0 with fewer than two. */
  readonly sdPpm: number;
  /** Root mean square and largest distance from the line, ns. */
  readonly residualNs: number;
  readonly maxResidualNs: number;
  readonly used: number;
  /** Points left out because their bracket was wider than twice the median. */
  readonly dropped: number;
}

/** `errno` 0, or EINVAL (CPU not there or not allowed), ENOTSUP (no pinning, no counter), ETIME (too few exchanges in time). */
export interface NativeOffset {
  readonly errno: number;
  readonly exchanges: number;
  readonly offsetTicks: number;
  readonly asymmetryTicks: number;
  readonly spreadTicks: number;
  readonly boundTicks: number;
  readonly roundTripTicks: number;
  readonly violations: number;
}

/** What CPU and kernel say about the counter: evidence, not a verdict. */
export interface CounterFeatures {
  readonly architecture: string;
  readonly vendor: string;
  readonly counter: boolean;
  readonly counterAllowed: boolean;
  readonly invariant: boolean;
  readonly rdtscp: boolean;
  readonly rdpid: boolean;
  readonly rdpru: boolean;
  readonly lfenceSerializing: boolean;
  readonly hypervisor: boolean;
  readonly nominalHz: number | null;
  readonly nominalFrom: string;
}
