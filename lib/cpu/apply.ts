import { checkKeys } from '../native/check-keys.js';
import type { Outcome, Refusal } from '../native/outcome.js';
import { pinOthers, pinSelf } from './affinity.js';
import { checkInteger } from './check.js';
import type { Plan } from './plan.js';

const KEYS: ReadonlySet<string> = new Set(['thread', 'except']);

/**
 * Does what a plan says for the calling thread: pins it to the CPU of planned thread `thread` (default 0, the first). The
 * first also moves all other threads to the plan's rest, so call it before workers apply theirs from the inside, or name those
 * in `except`. {@link restore} undoes it; when a step is refused, what this call did before is undone.
 * @throws RangeError when the plan has no such thread; TypeError when it is no plan, or one that was refused.
 */
export function apply(
  plan: Plan,
  options: { thread?: number; except?: readonly number[] } = {},
): Outcome<{ cpu: number; moved: number }> {
  checkPlan(plan);
  checkKeys('apply', options, KEYS, '{ thread: 1 }');
  const thread = checkInteger('apply: thread', options.thread ?? 0, 0, plan.threads.length - 1);
  const { cpu } = plan.threads[thread]!;
  const pinned = pinSelf([cpu]);
  if (!pinned.ok) return pinned;
  if (thread !== 0 || plan.rest.length === 0) return { ok: true, cpu, moved: 0 };
  const others = pinOthers(plan.rest, { except: options.except ?? [] });
  if (others.ok) return { ok: true, cpu, moved: others.moved };
  pinSelf(pinned.previous);
  return others;
}

function checkPlan(plan: Plan | Refusal): void {
  if (plan?.ok === false) {
    throw new TypeError(`apply: this is no plan but a refusal: ${plan.message}. Look at \`ok\` first`);
  }
  if (!Array.isArray(plan?.threads)) throw new TypeError('apply: pass what plan() gave');
}
