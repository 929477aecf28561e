/** native/addon/counters.cc as it is. Numbers called error and those of begin and end are errno values, 0 = done. */
export interface CountersSurface {
  events(): { name: string; hardware: boolean; inKernel: boolean }[];
  /** Opens on the calling thread what can be opened; `handle` and `opened` are there when at least one event is. */
  open(
    names: readonly string[],
    kernel: boolean,
  ): { error: number; failed: { name: string; errno: number }[]; opened?: string[]; handle?: GroupHandle };
  begin(handle: GroupHandle): number;
  /** Writes the counts in the order of `opened`, then enabled ns and running ns. */
  end(handle: GroupHandle, into: Float64Array): number;
  close(handle: GroupHandle): void;
  rdpruAdvertised(): boolean;
  /** Runs the instruction in a child process (6 to 14 ms). */
  probeRdpru(): boolean;
  /** From a chain of known latency; NaN where none is known. */
  measureGhz(): number;
  /** source 0 perf, 1 rdpru, 2 estimated. */
  openCycles(source: number, rdpruWorks: boolean): { error: number; handle?: CyclesHandle };
  beginCycles(handle: CyclesHandle): number;
  endCycles(handle: CyclesHandle): { cycles: number; ghz: number; valid: boolean } | number;
  closeCycles(handle: CyclesHandle): void;
}

/** Opaque. */
export interface GroupHandle {
  readonly __group: never;
}
export interface CyclesHandle {
  readonly __cycles: never;
}
