/** The measured CPUs belong to one run at a time, as far as processes that measure with tscope are concerned. */
import { reserve } from '../cpu/reserve.js';
import { type HostAffinity, leaveCpus, stayOnCpus } from './leave-cpus.js';
import type { CpuPlan } from './types.js';

/**
 * Reserves the cores that measure, then moves the host off them. When another process holds one, the run goes on and a finding names the
 * holder: two runs on one core disturb each other, and neither can see why. Without the addon nothing is reserved.
 *
 * @param moveHost Also take this process off the measured CPUs.
 */
export function claimCpus(cpus: CpuPlan, moveHost: boolean, take: typeof reserve = reserve): HostAffinity {
  const claim = cpus.measured === null ? null : take(cpus.measured);
  const affinity = moveHost ? leaveCpus(cpus) : stayOnCpus();
  const shared = claim !== null && !claim.ok && claim.code === 'EAGAIN' ? claim.holder : null;
  return {
    ...affinity,
    findings: [
      ...affinity.findings,
      ...(shared === null
        ? []
        : [
            {
              id: 'cpu-shared',
              severity: 'warning' as const,
              message: `CPU ${shared.cpu} is measured on by another run as well (process ${shared.pid ?? 'unknown'}: ${shared.command}), so both disturb each other: wait until it ends, or give each run CPUs of its own (taskset).`,
            },
          ]),
    ],
    restore() {
      affinity.restore();
      if (claim?.ok) claim.reservation.release();
    },
  };
}
