/** Comparison: two runs, or the benchmarks of one, in; cost ratios, intervals and verdicts out. */
import type { RunResult } from '../../result/model.js';
import { ratioLogMeans } from '../../stats/ratio/means.js';
import { count, percent } from '../words.js';
import { comparedRun } from './arms.js';
import type { PairOfArms } from './choose.js';
import { type Draft, draftsOf } from './draft.js';
import { judge } from './judge.js';
import { type Resolved, resolveOptions } from './resolve.js';
import { summariesOf } from './summary.js';
import type { Arm, ComparedRun, CompareOptions, Comparison, Difference, Note, RunLabel } from './types.js';
import { softDifferences } from './unlike.js';
import { pairsWithin } from './within.js';

export { armOf, comparedRun, runFacts } from './arms.js';
export { type Gate, gate } from './gate.js';
export { comparedJmh } from './jmh.js';
export { comparedNodeBench } from './node-bench.js';
export type * from './types.js';
export { COMPARE_METHODS, SCORE_KINDS } from './types.js';
export { unlike } from './unlike.js';

const label = ({ name, harness, id, createdAt }: ComparedRun): RunLabel => ({ name, harness, id, createdAt });

function build(
  pairs: readonly PairOfArms[],
  runs: { readonly baseline: ComparedRun; readonly candidate: ComparedRun },
  options: Resolved,
  differences: readonly Difference[],
  notes: readonly Note[],
): Comparison {
  const drafts: Draft[] = pairs.flatMap((pair) => draftsOf(pair, options));
  return {
    format: 'tscope-comparison',
    version: '1.1',
    baseline: label(runs.baseline),
    candidate: label(runs.candidate),
    delta: options.delta,
    confidence: options.confidence,
    score: options.score,
    rows: judge(drafts, options),
    summaries: summariesOf(drafts, options.confidence),
    differences,
    notes: notes.filter((note) => !options.allow.has(note.id)),
  };
}

/** More than one arm of one key in a run: which of them is meant cannot be known. */
function duplicates(arms: readonly Arm[], where: 'baseline' | 'candidate'): Note[] {
  const seen = new Set<string>();
  const names = new Set(
    arms.flatMap((arm) => {
      if (seen.has(arm.key)) return [arm.name];
      seen.add(arm.key);
      return [];
    }),
  );
  if (names.size === 0) return [];
  return [
    {
      id: `twice-in-${where}`,
      message: `More than once in the ${where} (same benchmark, mode and params), of which only the first is compared: ${listed([...names])}. Put runs that differ in other things (threads, arguments of the virtual machine) into files of their own.`,
    },
  ];
}

/** The first names, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5);
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

/** Arms by key; of a key that occurs twice the first, which {@link duplicates} tells. */
const byKey = (arms: readonly Arm[]): Map<string, Arm> => {
  const map = new Map<string, Arm>();
  for (const arm of arms) if (!map.has(arm.key)) map.set(arm.key, arm);
  return map;
};

/**
 * Compares two runs, trial by trial. It does not refuse unlike runs: ask {@link unlike} first, and pass what it found if you go on anyway.
 *
 * @param differences Kept in the answer, and told in a note.
 */
export function compareRuns(
  baseline: ComparedRun,
  candidate: ComparedRun,
  given: CompareOptions = {},
  differences: readonly Difference[] = [],
): Comparison {
  const options = resolveOptions(given);
  const [before, after] = [byKey(baseline.arms), byKey(candidate.arms)];
  const pairs: PairOfArms[] = [];
  for (const [key, arm] of before) {
    const other = after.get(key);
    if (other !== undefined) pairs.push({ kind: 'across', baseline: arm, candidate: other });
  }
  const notes: Note[] = [...duplicates(baseline.arms, 'baseline'), ...duplicates(candidate.arms, 'candidate')];
  const missing = (arms: Map<string, Arm>, others: Map<string, Arm>, where: string) => {
    const names = [...new Set([...arms].filter(([key]) => !others.has(key)).map(([, arm]) => arm.name))];
    if (names.length === 0) return;
    notes.push({
      id: `only-in-${where}`,
      message: `Only in the ${where}, not compared: ${listed(names)}.`,
    });
  };
  missing(before, after, 'baseline');
  missing(after, before, 'candidate');
  if (differences.length > 0) {
    notes.push({
      id: 'forced',
      message: `Forced although the runs differ in ${count(differences.length, 'way')}: the ratios are of these differences as much as of the code.`,
    });
  }
  notes.push(...sessionNotes(baseline, candidate, options));
  if (baseline.harness === 'jmh' || candidate.harness === 'jmh') {
    notes.push({
      id: 'jmh-forks',
      message:
        'Of a JMH file the forks are compared (means of the rows of rawData), not the pooled scores and errors it prints: JMH treats iterations of one fork as independent, which makes its error too small.',
    });
  }
  if (baseline.harness === 'node:bench' || candidate.harness === 'node:bench') {
    notes.push({
      id: 'node-bench-forks',
      message:
        'Of a node:bench file every process is one fork, whatever its count of samples; run it several times and put the lines into one file. What it ran on is not told, so that unlike runs cannot be noticed.',
    });
  }
  return build(pairs, { baseline, candidate }, options, differences, notes);
}

/** Two runs are two sessions: what that may have done, and whether the canaries saw it. */
function sessionNotes(baseline: ComparedRun, candidate: ComparedRun, { delta }: Resolved): Note[] {
  const notes: Note[] = [];
  const soft = softDifferences(baseline, candidate);
  if (soft.length > 0) notes.push({ id: 'elsewhere', message: `Not alike, but compared: ${soft.join(', ')}.` });
  const canaries = (run: ComparedRun) => run.arms.flatMap((arm) => [...arm.canaries]);
  const [b, c] = [canaries(baseline), canaries(candidate)];
  if (b.length > 0 && c.length > 0) {
    const speed = ratioLogMeans(c, b);
    if (speed.low !== null && (speed.low > 1 + delta || speed.high < 1 - delta)) {
      notes.push({
        id: 'machine-changed',
        message: `A fixed piece of arithmetic beside the iterations took ${percent(Math.abs(speed.ratio - 1))} ${speed.ratio > 1 ? 'longer' : 'less'} in the candidate's run: the machine changed its speed between the two, and the ratios hold that change. Measure both in one run (baseline: true).`,
      });
    }
  }
  return notes;
}

/** Compares the benchmarks of one run: with the baseline of their suite, and the winner with the runner-up. */
export function compareWithin(run: ComparedRun, given: CompareOptions = {}): Comparison {
  const options = resolveOptions(given);
  return build(pairsWithin(run.arms, options.score), { baseline: run, candidate: run }, options, [], []);
}

/** Benchmarks of one run against the baseline of their suite; no rows where none is declared. */
export const againstBaselines = (result: RunResult, options: CompareOptions = {}): Comparison =>
  compareWithin(comparedRun(result, result.id), options);
