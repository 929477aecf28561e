import { resolve } from 'node:path';
import {
  type ComparedRun,
  type Comparison,
  comparedJmh,
  comparedRun,
  compareRuns,
  compareWithin,
  type Difference,
  type Gate,
  gate,
  unlike,
} from '../../analysis/compare/index.js';
import { compareLines, differenceLines } from '../../report/compare.js';
import { readAnyResult } from '../../result/read.js';
import { ResultFileError } from '../../result/result-file-error.js';
import { UsageError } from '../../runner/usage-error.js';
import { type CompareFlags, compareOptions } from '../compare-flags.js';
import { EXIT, type Io } from '../io.js';

interface Flags extends CompareFlags {
  readonly force?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** A result file of ours or of JMH, ready to be compared; throws UsageError when it cannot be read. */
export function loadRun(path: string, cwd: string): ComparedRun {
  try {
    const any = readAnyResult(resolve(cwd, path));
    return any.kind === 'jmh' ? comparedJmh(any.records, path) : comparedRun(any.result, path);
  } catch (error) {
    if (error instanceof ResultFileError) throw new UsageError(error.message);
    throw error;
  }
}

/** Throws UsageError when the runs differ in what shapes a measurement, with the list, unless forced. */
export function refuseUnlike(baseline: ComparedRun, candidate: ComparedRun, force: boolean): Difference[] {
  const differences = unlike(baseline, candidate);
  if (differences.length > 0 && !force) {
    throw new UsageError(
      [
        `${baseline.name} and ${candidate.name} are not alike, so their ratio would not be one of the code:`,
        ...differenceLines(differences),
        'Measure both the same way, or compare them all the same with --force.',
      ].join('\n'),
    );
  }
  return differences;
}

/** Exit code of a comparison: 1 on regressed or failed, 4 on inconclusive when strict. */
export function gateCode(result: Gate, strict: boolean): number {
  if (result === 'regressed' || result === 'failed') return EXIT.failed;
  return result === 'inconclusive' && strict ? EXIT.inconclusive : EXIT.ok;
}

function compareTwo(baseline: ComparedRun, candidate: ComparedRun, flags: Flags): Comparison {
  const options = compareOptions(flags);
  if (options.method === 'paired') {
    throw new UsageError(
      '--method paired needs both arms in one run, measured in the same rounds (baseline: true); two files are not paired.',
    );
  }
  const differences = refuseUnlike(baseline, candidate, flags.force === true);
  const comparison = compareRuns(baseline, candidate, options, differences);
  if (comparison.rows.length === 0) {
    const names = (run: ComparedRun) =>
      [...new Set(run.arms.map((arm) => arm.name))].slice(0, 5).join(', ') || 'nothing';
    throw new UsageError(
      `${baseline.name} and ${candidate.name} have no trial in common (same file, benchmark, mode and params): there is ${names(baseline)} on one side, ${names(candidate)} on the other.`,
    );
  }
  return comparison;
}

function compareOne(run: ComparedRun, flags: Flags): Comparison {
  const comparison = compareWithin(run, compareOptions(flags));
  if (comparison.rows.length === 0) {
    throw new UsageError(
      `${run.name}: no suite has a baseline and something to compare with it. Mark one benchmark with baseline: true, or give two files.`,
    );
  }
  return comparison;
}

/**
 * `tscope compare <baseline> [candidate]`.
 *
 * @returns Exit code.
 * @throws UsageError for files that cannot be read or compared.
 */
export function compareCommand(files: readonly string[], given: unknown, io: Io): number {
  const flags = given as Flags;
  const [first, second] = files.map((path) => loadRun(path, io.cwd)) as [ComparedRun, ComparedRun?];
  const comparison = second === undefined ? compareOne(first, flags) : compareTwo(first, second, flags);
  io.out(flags.json ? `${JSON.stringify(comparison, null, 1)}\n` : `${compareLines(comparison).join('\n')}\n`);
  return gateCode(gate(comparison), flags.strict === true);
}
