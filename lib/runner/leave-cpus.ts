/** The host leaves the CPUs that measure, and comes back when all is done. */
import { allowedCpus, pinProcess, pinSelf, restore } from '../cpu/index.js';
import type { Finding } from '../result/model.js';
import type { CpuPlan } from './types.js';

/** The host's place during a run. */
export interface HostAffinity {
  readonly findings: readonly Finding[];
  /** Runs `action` on all CPUs the host had before: a process inherits the CPUs of the thread that starts it. */
  outside<T>(action: () => T): T;
  /** Gives every thread of the host its CPUs back. */
  restore(): void;
}

/** Does nothing: the host stays where it is. */
export const stayOnCpus = (findings: readonly Finding[] = []): HostAffinity => ({
  findings,
  outside: (action) => action(),
  restore() {},
});

/** Moves every thread of this process to the helpers' CPUs. Where that cannot be had, a finding says so and the run goes on. */
export function leaveCpus({ measured, helpers }: CpuPlan): HostAffinity {
  if (measured === null || helpers === null) return stayOnCpus();
  const before = allowedCpus();
  const moved = pinProcess(process.pid, helpers);
  if (before === null || !moved.ok) {
    const why = moved.ok ? 'its CPUs are unknown' : `${moved.message}. ${moved.hint}`;
    return stayOnCpus([
      {
        id: 'host-not-moved',
        severity: 'warning',
        message: `The host could not leave the measured CPUs (${measured.join(', ')}) and may take time from forks: ${why}`,
      },
    ]);
  }
  return {
    findings: [],
    outside(action) {
      pinSelf(before);
      try {
        return action();
      } finally {
        pinSelf(helpers);
      }
    },
    restore() {
      restore();
    },
  };
}
