/** What makes two runs unlike each other. */
import type { ComparedRun, Difference } from './types.js';

/** Facts that differ between two maps; a fact that only one side knows is not a difference in the world, so it is left out. */
function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): [string, string, string][] {
  return [...a].flatMap(([name, value]) => {
    const other = b.get(name);
    return other === undefined || other === value ? [] : [[name, value, other] as [string, string, string]];
  });
}

/**
 * Differences that make the ratio of two runs a ratio of something else than the code: runtime, machine, clock, flags, options and policy.
 * Facts of trials are gathered: one difference names all trials that have it.
 */
export function unlike(baseline: ComparedRun, candidate: ComparedRun): Difference[] {
  const found: Difference[] = differing(baseline.facts, candidate.facts).map(([what, a, b]) => ({
    what,
    baseline: a,
    candidate: b,
    trials: null,
  }));
  const byFact = new Map<string, { difference: Difference; trials: string[] }>();
  for (const [key, facts] of baseline.armFacts) {
    const other = candidate.armFacts.get(key);
    if (other === undefined) continue;
    for (const [what, a, b] of differing(facts, other)) {
      const id = `${what}\n${a}\n${b}`;
      const entry = byFact.get(id) ?? { difference: { what, baseline: a, candidate: b, trials: null }, trials: [] };
      entry.trials.push(key);
      byFact.set(id, entry);
    }
  }
  for (const { difference, trials } of byFact.values()) found.push({ ...difference, trials });
  return found;
}

/** Facts that may differ, but that a reader should know: `host lab1 and lab2`. */
export const softDifferences = (baseline: ComparedRun, candidate: ComparedRun): string[] =>
  differing(baseline.softFacts, candidate.softFacts).map(([name, a, b]) => `${name} ${a} and ${b}`);
