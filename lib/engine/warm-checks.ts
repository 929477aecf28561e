/** The linearity check and the cost of an empty op, where they apply. */
import type { Finding, Linearity } from '../result/model.js';
import { checkLinearity, factsOf, LINEARITY_MAX_NS, LinearityCheck, noInput } from './linearity.js';
import { emptyOpNs } from './overhead.js';
import type { Session } from './session.js';
import type { Machine } from './types.js';

export interface Checked {
  readonly linearity: Linearity | null;
  readonly finding: Finding | null;
  readonly emptyOpNs: number | null;
}

export const UNCHECKED: Checked = { linearity: null, finding: null, emptyOpNs: null };

interface CheckPlan {
  readonly linearityCheck: boolean;
  readonly timeoutMs: number;
}

/** Will the benchmark be called? Not if it is asynchronous, long, or needs fixtures around each call. */
export function callsBenchmark(plan: CheckPlan, { sync, target }: Session, leastNs: number | null): boolean {
  if (!sync || leastNs === null || !plan.linearityCheck) return false;
  return leastNs <= LINEARITY_MAX_NS && !target.before && !target.after;
}

/** @param leastNs Fastest iteration, ns per invocation: a single one may have lost most of its time to other processes. */
export function warmChecks(machine: Machine, plan: CheckPlan, session: Session, leastNs: number | null): Checked {
  if (leastNs === null) return UNCHECKED;
  const { fn } = session.target;
  if (!callsBenchmark(plan, session, leastNs)) {
    // Time cannot be asked, the parameter list can.
    const finding = plan.linearityCheck ? noInput(fn, leastNs) : null;
    return { linearity: null, finding, emptyOpNs: session.sync ? emptyOpNs(machine, session) : null };
  }
  const check = new LinearityCheck(session, machine);
  const facts = factsOf(fn, session.givesNothing);
  try {
    // An iteration as fast as an empty one counts as well: V8 may hold several codes of one loop, with and without the work.
    const least = session.shape === 'plain' ? leastNs : Number.POSITIVE_INFINITY;
    const measure = () => {
      const times = check.measure();
      return { ...times, one: Math.min(times.one, least) };
    };
    const checked = machine.deadline(plan.timeoutMs, () => checkLinearity(measure, facts));
    return { ...checked, finding: checked.finding ?? noInput(fn, leastNs) };
  } catch (error) {
    throw session.failed(error);
  }
}
