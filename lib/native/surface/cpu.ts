/**
 * native/addon/cpu.cc as it is. A number where a result is expected is the errno value of a refusal, 0 = done.
 * Arguments are not checked there; lib/cpu does.
 */
export interface CpuSurface {
  /** Kernel thread id of the caller; -1 where there is none. */
  threadId(): number;
  /** CPU the caller runs on; -1 when unknown. */
  currentCpu(): number;
  /** CPUs thread `tid` may use; 0 = the caller. */
  getAffinity(tid: number): number[] | number;
  setAffinity(tid: number, cpus: readonly number[]): number;
  /** Threads of process `pid`; 0 = this one. */
  listThreads(pid: number): { tid: number; name: string; cpus: number[] }[] | number;
  moveThreads(
    pid: number,
    cpus: readonly number[],
    except: readonly number[],
  ): { error: number; moved: { tid: number; cpus: number[] }[] };
  /** Involuntary and voluntary switches, minor and major faults, CPU ns of the caller; NaN where unknown. */
  usage(into: Float64Array): void;
  /** The machine below `root` (`/` = this one). */
  topology(root: string): RawTopology | number;
  /** Of the calling thread; policy 0 other, 1 batch, 2 idle, 3 fifo, 4 something else. */
  getPriority(): { policy: number; realtime: number; nice: number } | number;
  setPriority(policy: number, realtime: number, nice: number): number;
  /** -1 = unknown, or no limit. */
  realtimeLimit(): { runtimeUs: number; periodUs: number };
  lockMemory(future: boolean, onFault: boolean): number;
  unlockMemory(): number;
  /** ns; negative = minus the errno value. */
  getTimerSlack(): number;
  setTimerSlack(ns: number): number;
  reserve(
    directory: string,
    cpus: readonly number[],
    command: string,
  ): { error: number; handle?: ReservationHandle; holder?: RawHolder };
  releaseReservation(handle: ReservationHandle): void;
  listReservations(directory: string): RawHolder[] | number;
  endWithParent(): number;
}

/** Opaque; what it holds is released when it is collected, so keep it. */
export interface ReservationHandle {
  readonly __reservation: never;
}

export interface RawHolder {
  cpu: number;
  pid: number | null;
  command: string;
}

export interface RawTopology {
  online: number[];
  isolated: number[] | null;
  nohzFull: number[] | null;
  allowed: number[] | null;
  cpuset: number[] | null;
  quota: number | null;
  smt: boolean | null;
  cpus: {
    cpu: number;
    core: number;
    package: number | null;
    node: number | null;
    capacity: number | null;
    maxKhz: number | null;
    kind: 'performance' | 'efficiency' | null;
    interrupts: number | null;
  }[];
  cores: { package: number | null; id: number | null; cpus: number[] }[];
  caches: { level: number; type: string; bytes: number | null; lineBytes: number | null; cpus: number[] }[];
  nodes: { node: number; cpus: number[] }[];
}
