import { relative } from 'node:path';
import { againstBaselines } from '../../analysis/compare/index.js';
import { DEFAULT_CONFIDENCE } from '../../analysis/score.js';
import { planSpending, type Spent } from '../../api/budget.js';
import { type MeasureDeps, measureRest, measureRun } from '../../api/measure.js';
import { planRun } from '../../api/plan.js';
import { prepare } from '../../api/prepare.js';
import { isAdaptive, stopRule, writtenName } from '../../api/stop-rule.js';
import { type Look, PLAIN } from '../../report/look.js';
import { bodyText, headText } from '../../report/run.js';
import { writeWhole } from '../../result/files.js';
import type { RunResult } from '../../result/model.js';
import { formatResult, writeResult } from '../../result/write.js';
import { loadConfig } from '../../runner/config.js';
import { UsageError } from '../../runner/usage-error.js';
import { compareOptions } from '../compare-flags.js';
import { integerFlag } from '../flag-values.js';
import { EXIT, type Io } from '../io.js';
import { expandJmhFlags } from '../jmh-flags.js';
import { ambientOutputs, type OtherOutput, readOutputs, writeOrTell, writeOutputs } from '../outputs.js';
import { type JudgeFlags, type Judging, nameRun, prepareJudging } from '../run/against-baseline.js';
import { keepSomewhere } from '../run/keep.js';
import { listLines } from '../run/list.js';
import { checkWritable } from '../run/output.js';
import { type RunFlags, runRequest } from '../run/request.js';
import { resumeTarget } from '../run/resume-target.js';
import { VERBOSITIES, watcher } from '../run/watcher.js';
import { flagName, RUN_OPTION_FLAGS } from '../run-flags.js';

/** Flags that concern the whole run. */
interface Flags extends RunFlags, JudgeFlags {
  readonly list?: boolean;
  readonly listParams?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly log?: string;
  readonly failOnError?: string | true;
  readonly verbosity: string;
  readonly seed?: string;
  readonly order: string;
  readonly strayReruns?: string;
  readonly resume?: string | true;
  readonly allow: readonly string[];
  readonly config?: string | boolean;
  readonly resultFormat: readonly string[];
  readonly resultFile?: string;
}

function oneOf<T extends string>(flag: string, value: string, known: readonly T[]): T {
  if (known.includes(value as T)) return value as T;
  throw new UsageError(`${flagName(flag)}: "${value}" is not one of ${known.join(', ')}.`);
}

/** Undefined = chosen at random. */
function readSeed(text: string | undefined, fallback: number | undefined): number | undefined {
  if (text === undefined) return fallback;
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed < 2 ** 32) return seed;
  throw new UsageError(`--seed: "${text}" is not a whole number from 0 to 4294967295.`);
}

/** Flag `--stray-reruns`; undefined when it was not given. */
function strayReruns(flags: Flags): number | undefined {
  if (flags.strayReruns === undefined) return undefined;
  const value = integerFlag('--stray-reruns', 0)(flags.strayReruns);
  if (value > 0 && !flags.canaries) throw new UsageError('--stray-reruns needs the canaries: leave out --no-canaries.');
  return value;
}

/** Long flags of a command line, so that advice does not repeat them. */
const longFlags = (command: readonly string[]): Set<string> =>
  new Set(
    expandJmhFlags(command)
      .filter((arg) => arg.startsWith('--'))
      .map((arg) => arg.split('=')[0]!),
  );

/** Flags that say what is measured, which was fixed when the run began: beside --resume they would be ignored. */
const PLANNING: readonly string[] = [
  ...RUN_OPTION_FLAGS,
  '--param',
  '--only',
  '--exclude',
  '--list',
  '--list-params',
  '--fail-on-error',
  '--seed',
  '--order',
  '--node',
  '--loader',
  '--keep-chunks',
  '--no-canaries',
  '--no-linearity',
  '--stray-reruns',
  '--precision-rule',
  '--max-forks',
  '--budget',
  '--keep-env',
];

function refuseWithResume(inputs: readonly string[], argv: readonly string[]): void {
  if (inputs.length > 0)
    throw new UsageError('--resume goes on with a stored plan: name no files (name the run instead: --resume <id>).');
  const flag = [...longFlags(argv)].find((long) => PLANNING.includes(long));
  if (flag !== undefined) {
    throw new UsageError(
      `${flagName(flag)} cannot go with --resume: what is measured was fixed when the run began. Leave it out, or start a new run.`,
    );
  }
}

function exitCode(result: RunResult, signal: AbortSignal, written: boolean): number {
  if (signal.aborted) return signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  return result.trials.some((trial) => trial.failure !== null) || !written ? EXIT.failed : EXIT.ok;
}

/**
 * `tscope run`: describe, plan, measure, complete, report.
 *
 * @param inputs Files, folders or globs.
 * @param given Flags as commander parsed them.
 * @param argv The command line as typed, for the record.
 * @returns Exit code.
 * @throws UsageError for every mistake found before measuring.
 */
export async function runCommand(
  inputs: readonly string[],
  given: unknown,
  argv: readonly string[],
  io: Io,
): Promise<number> {
  const flags = given as Flags;
  const verbosity = oneOf('--verbosity', flags.verbosity.toUpperCase(), VERBOSITIES);
  const order = oneOf('--order', flags.order, ['random', 'sequential'] as const);
  oneOf('--loader', flags.loader, ['strip', 'native', 'none'] as const);
  const failFast =
    flags.failOnError === true ||
    (flags.failOnError !== undefined && oneOf('--fail-on-error', flags.failOnError, ['true', 'false']) === 'true');
  const most = strayReruns(flags);
  const out = flags.out === undefined ? null : checkWritable('--out', flags.out, io.cwd);
  const log = flags.log === undefined ? null : checkWritable(flagName('--log'), flags.log, io.cwd);
  const others: OtherOutput[] = [
    ...(flags.json ? [{ flag: '--json', target: '-' }] : []),
    ...(out === null ? [] : [{ flag: '--out', target: out }]),
    ...(log === null ? [] : [{ flag: flagName('--log'), target: log }]),
  ];
  const outputs = readOutputs(flags, others, io);
  const quiet = flags.json || outputs.some(({ target }) => target === '-');
  const config = await loadConfig(io.cwd, flags.config);
  const allow = new Set([...(config.allow ?? []), ...flags.allow.flatMap((ids) => ids.split(','))]);

  const comparing = { ...compareOptions(flags), allow };
  const watch = watcher(io, verbosity);
  const deps: MeasureDeps = {
    onEvent: watch.onEvent,
    signal: io.signal,
    complete: (raw) => ({ allow, flags: longFlags(raw.command) }),
  };
  let runDir: string;
  let measure: () => Promise<RunResult>;
  let judging: Judging;
  let spent: Spent | null = null;
  let shown = '';
  // The log is plain, whatever standard output is.
  const show = (make: (look: Look) => string) => {
    shown += make(PLAIN);
    if (!quiet) io.out(make(io.look ?? PLAIN));
  };
  if (flags.resume !== undefined) {
    refuseWithResume(inputs, argv);
    runDir = resumeTarget(flags.resume, io.cwd);
    judging = prepareJudging(flags, comparing, null, io.cwd);
    measure = () => measureRest(runDir, deps);
  } else {
    const seed = readSeed(flags.seed, config.seed);
    let prepared = await prepare(runRequest(inputs, flags, config, io));
    if (flags.list || flags.listParams) {
      io.out(`${listLines(prepared.trials, flags.listParams === true).join('\n')}\n`);
      return EXIT.ok;
    }
    const settings = {
      cwd: io.cwd,
      seed,
      order,
      failFast,
      strayReruns: most,
      command: argv,
      source: 'command line',
    } as const;
    const confidence = comparing.confidence ?? DEFAULT_CONFIDENCE;
    const { options: whole, sources } = prepared.wholeRun;
    const ms = isAdaptive(prepared.trials) ? undefined : whole.budgetMs;
    if (ms !== undefined) {
      // What a baseline refuses is refused before the pilot.
      prepareJudging(flags, comparing, planRun(prepared, settings).head, io.cwd);
      const budget = {
        ms,
        name: writtenName('budgetMs', sources.budgetMs),
        confidence,
        now: () => performance.now(),
        say: (text: string) => show(() => text),
      };
      spent = await planSpending(prepared, settings, budget, deps).finally(() => watch.end());
      if (spent.interrupted !== null) {
        io.err('tscope: interrupted in the pilot; nothing was planned.\n');
        return exitCode(spent.interrupted, io.signal, true);
      }
      prepared = spent.prepared;
    }
    const stop = stopRule(prepared, { order, confidence });
    const planned = planRun(prepared, { ...settings, stop });
    runDir = planned.plan.runDir;
    judging = prepareJudging(flags, comparing, planned.head, io.cwd);
    show((look) => headText(planned.head, look));
    measure = () => measureRun(planned, deps);
  }

  let result: RunResult;
  try {
    result = await measure();
    if (spent !== null && !allow.has(spent.finding.id))
      result = { ...result, findings: [spent.finding, ...result.findings] };
  } finally {
    watch.end();
  }
  if (flags.resume !== undefined) show((look) => headText(result, look));
  const baselines = againstBaselines(result, comparing);
  show((look) => bodyText(result, baselines, look));
  const judged = judging.judge(result);
  if (judged !== null) show(() => `\n${judged.text}`);
  const kept = keepSomewhere(io, runDir, result);
  const file = kept.path ?? 'no other place';
  let written = kept.inPlace;
  if (out !== null) written = writeOrTell(io, out, () => writeResult(out, result), file) && written;
  if (flags.json) io.out(formatResult(result));
  written = writeOutputs(outputs, result, baselines, file, io) && written;
  writeOutputs(ambientOutputs(outputs, io), result, baselines, file, io);
  const path = relative(io.cwd, out ?? file);
  const where = `Result: ${path.startsWith('..') ? (out ?? file) : path}\n`;
  if (written) show(() => `\n${where}`);
  if (log !== null) written = writeOrTell(io, log, () => writeWhole(log, shown), file) && written;
  written = nameRun(flags, result, io) && written;
  return exitCode(result, io.signal, written) || (judged?.code ?? EXIT.ok);
}
