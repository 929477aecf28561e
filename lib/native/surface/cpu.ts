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
}
