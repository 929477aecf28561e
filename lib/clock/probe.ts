import { type ClockRefusal, requireCounter } from './refusal.js';

/** Instructions that work on some machines although CPUID does not advertise them. */
export const PROBES = ['rdtscp', 'rdpru', 'rdpid', 'rdpmc'] as const;
/** An instruction that can be tried in a child process. */
export type ProbeName = (typeof PROBES)[number];
/** `unknown`: not an instruction of this architecture, or no child process could be made. */
export type ProbeResult = 'works' | 'faults' | 'unknown';

/**
 * Executes each instruction in a child process of its own and tells whether the child lived (6 to 14 ms each). Only on
 * request: nothing in tscope executes an unadvertised instruction in its own process.
 *
 * @throws TypeError on a name that is not in {@link PROBES}.
 */
export function probe(
  names: readonly ProbeName[],
): { readonly ok: true; readonly results: Readonly<Partial<Record<ProbeName, ProbeResult>>> } | ClockRefusal {
  if (!Array.isArray(names)) throw new TypeError(`probe: names must be an array of ${PROBES.join(', ')}`);
  for (const name of names) {
    if (!PROBES.includes(name)) throw new TypeError(`probe: unknown instruction "${name}"; use ${PROBES.join(', ')}`);
  }
  const found = requireCounter('probe');
  if (!found.ok) return found;
  return { ok: true, results: Object.fromEntries(names.map((name) => [name, found.surface.probe(name)])) };
}
