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

export function warmChecks(
  machine: Machine,
  plan: { readonly linearityCheck: boolean; readonly timeoutMs: number },
  session: Session,
  usualNs: number | null,
): Checked {
  const { sync } = session;
  if (!sync || usualNs === null) return UNCHECKED;
  if (!plan.linearityCheck || usualNs > LINEARITY_MAX_NS || session.target.before || session.target.after) {
    return { linearity: null, finding: null, emptyOpNs: emptyOpNs(machine, session) };
  }
  const check = new LinearityCheck(session, machine);
  const facts = factsOf(session.target.fn, session.resultKind === 'undefined');
  try {
    const checked = machine.deadline(plan.timeoutMs, () => checkLinearity(() => check.measure(), facts));
    return { ...checked, finding: checked.finding ?? noInput(session.target.fn, usualNs) };
  } catch (error) {
    throw session.failed(error);
  }
}
