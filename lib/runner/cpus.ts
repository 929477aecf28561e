/** Which CPUs measure, and which are for everything else. */
import type { Finding } from '../result/model.js';
import type { CpuPlan } from './types.js';

export interface CpuChoice extends CpuPlan {
  readonly findings: readonly Finding[];
}

/**
 * Chooses CPUs for `threads` measuring threads.
 *
 * Isolated CPUs first (the kernel keeps other tasks away from them), then the highest numbers: CPU 0 takes most interrupts, and is used
 * last. Helpers get what is left, without the hardware siblings of the measured CPUs as long as something else remains.
 *
 * @param allowed CPUs this process may use; null when unknown (then nothing is pinned).
 * @param isolated CPUs isolated by the kernel; null when unknown.
 * @param siblings Hardware threads that share a core with a CPU, itself included or not; default none known.
 */
export function chooseCpus(
  allowed: readonly number[] | null,
  isolated: readonly number[] | null,
  threads = 1,
  siblings: (cpu: number) => readonly number[] = () => [],
): CpuChoice {
  if (allowed === null || allowed.length === 0) {
    return {
      measured: null,
      helpers: null,
      findings: [
        finding(
          'not-pinned',
          'warning',
          'The CPUs this process may use are unknown here, so nothing is pinned: expect wider intervals from threads that move between cores.',
        ),
      ],
    };
  }
  const isolatedSet = new Set(isolated ?? []);
  const rank = (cpu: number) => (isolatedSet.has(cpu) ? 0 : cpu === 0 ? 2 : 1);
  const order = [...new Set(allowed)].sort((a, b) => rank(a) - rank(b) || b - a);
  const measured = order.slice(0, threads);
  const rest = order.slice(threads).sort((a, b) => a - b);
  const busy = new Set(measured.flatMap((cpu) => siblings(cpu)));
  const apart = rest.filter((cpu) => !busy.has(cpu));
  const helpers = apart.length > 0 ? apart : rest;
  if (helpers.length > 0) return { measured, helpers, findings: [] };
  const findings = [
    finding(
      'no-helper-cpu',
      'warning',
      `${order.length === 1 ? 'The only allowed CPU measures' : `All ${order.length} allowed CPUs measure`}, so the host and V8's helper threads share ${order.length === 1 ? 'it' : 'them'}; allow one CPU more for steadier numbers.`,
    ),
  ];
  if (threads > order.length) {
    findings.push(
      finding(
        'not-pinned',
        'warning',
        `${threads} threads on ${order.length} allowed CPUs cannot have one each, so trials with that many are not pinned; ask for fewer threads.`,
      ),
    );
  }
  return { measured, helpers: null, findings };
}

/** CPUs of one fork. */
export interface ForkCpus {
  readonly pinCpus: readonly number[] | null;
  readonly helperCpus: readonly number[] | null;
}

/**
 * CPUs of a fork with `threads` threads in a run with `cpus`: the first ones for its threads, the rest for its helpers, also those that
 * other trials of the run measure on. All null when there are too few, or none.
 */
export function forkCpus(cpus: CpuPlan, threads: number): ForkCpus {
  if (cpus.measured === null || cpus.measured.length < threads) return { pinCpus: null, helperCpus: null };
  const rest = [...(cpus.helpers ?? []), ...cpus.measured.slice(threads)].sort((a, b) => a - b);
  return { pinCpus: cpus.measured.slice(0, threads), helperCpus: rest.length > 0 ? rest : null };
}

function finding(id: string, severity: Finding['severity'], message: string): Finding {
  return { id, severity, message };
}
