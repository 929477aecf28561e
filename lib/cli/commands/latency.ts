import { join, parse } from 'node:path';
import { packageVersion } from '../../api/version.js';
import { csvText } from '../../latency/format/csv.js';
import { hlogText, percentilesText } from '../../latency/format/hlog.js';
import { plotText } from '../../latency/format/plot.js';
import { reportText } from '../../latency/format/report.js';
import { teamCityText } from '../../latency/format/teamcity.js';
import { measureLatency } from '../../latency/host/measure.js';
import { type PlanProgress, planProgress } from '../../latency/host/progress.js';
import type { LatencyData } from '../../latency/model.js';
import { checkTables, checkThresholds, parseThreshold, type Threshold } from '../../latency/threshold.js';
import { titleOf } from '../../latency/title.js';
import { type JudgedLimits, limitsJunit } from '../../report/latency-junit.js';
import { writeWhole } from '../../result/files.js';
import { UsageError } from '../../runner/usage-error.js';
import type { LatencyOptions } from '../../suite/latency.js';
import { LATENCY_OPTION_NAMES } from '../../suite/latency-options.js';
import { wholeRunOptions } from '../adaptive-flags.js';
import { EXIT, type Io } from '../io.js';
import { checkWritable } from '../run/output.js';
import { paramOverrides } from '../run-flags.js';

/** Flags of `tscope latency`; every option of `latency()` and where results go. */
export interface LatencyFlags extends LatencyOptions {
  /** `name=v1,v2`; replaces values of a param. */
  readonly param?: readonly string[];
  /** Regular expression; keeps measurements whose name matches. */
  readonly only?: string;
  /** Limits such as `p99=2ms`; exit code 1 when one is exceeded or cannot be decided. */
  readonly max?: readonly string[];
  /** Print JSON instead of the report. */
  readonly json?: boolean;
  /** Write JSON here. */
  readonly out?: string;
  readonly csv?: string;
  /** HdrHistogram log. */
  readonly hlog?: string;
  /** HdrHistogram percentile text, us. */
  readonly percentiles?: string;
  /** Write the limits of `max` as JUnit XML here. */
  readonly junit?: string;
  /** Print TeamCity service messages; a text becomes the prefix of their keys. */
  readonly teamcity?: boolean | string;
  /** Print the percentile plot. */
  readonly plot?: boolean;
  /** A line per second on stderr. Default: when stderr is a terminal. */
  readonly progress?: boolean;
  readonly node?: string;
  readonly loader?: 'strip' | 'native' | 'none';
  /** Names of environment variables that forks keep, each text a list with commas. */
  readonly keepEnv?: readonly string[];
}

function overridesOf(flags: LatencyFlags): LatencyOptions {
  const entries = LATENCY_OPTION_NAMES.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]);
  return Object.fromEntries(entries) as LatencyOptions;
}

function regexp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new UsageError(`--only ${text}: ${(error as Error).message}`);
  }
}

function thresholdsOf(texts: readonly string[]) {
  try {
    return texts.map(parseThreshold);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function checkLimits(
  thresholds: readonly Threshold[],
  measurements: readonly { readonly probes: readonly string[] }[],
) {
  try {
    for (const { probes } of measurements) checkTables(thresholds, probes);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Flags that print beside the report, and would spoil JSON. */
const PRINTED = ['teamcity', 'plot'] as const;

/** Flags that name a file. */
const FILES = ['out', 'csv', 'hlog', 'percentiles', 'junit'] as const;

/** Targets of the flags that name a file, checked before measuring, so that no run is spoiled by a mistyped folder. */
function targets(flags: LatencyFlags, cwd: string): Partial<Record<(typeof FILES)[number], string>> {
  const found: Partial<Record<(typeof FILES)[number], string>> = {};
  for (const name of FILES) {
    const path = flags[name];
    if (path === undefined) continue;
    const target = checkWritable(`--${name}`, path, cwd);
    const other = FILES.find((flag) => found[flag] === target);
    if (other) throw new UsageError(`--${name} and --${other} name the same file: ${path}.`);
    found[name] = target;
  }
  return found;
}

/** Path for result `i` of `count`: with several, a number goes before the extension. */
function numbered(path: string, i: number, count: number): string {
  if (count === 1) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${i + 1}${ext}`);
}

/** Writes whole files; one that fails is told and the others are still written. Returns whether all are there. */
function writeAll(files: readonly (readonly [path: string, text: () => string])[], io: Pick<Io, 'err'>): boolean {
  let all = true;
  for (const [path, text] of files) {
    try {
      writeWhole(path, text());
    } catch (error) {
      all = false;
      io.err(`tscope: ${path}: cannot be written (${(error as Error).message}).\n`);
    }
  }
  return all;
}

/**
 * `tscope latency <file>`: measures, reports, checks limits.
 *
 * @returns 0; 1 when a fork failed, a run has an error finding (unreachable, lost, overflow, sampled twice) or a limit was not kept; 2 when
 *   the file or an option is wrong; 130 or 143 when interrupted (what was measured until then is printed first).
 * @throws UsageError for flags that mean nothing; the caller prints it and exits with 2.
 */
export async function runLatency(file: string, flags: LatencyFlags, io: Io): Promise<number> {
  const thresholds = thresholdsOf(flags.max ?? []);
  if (flags.junit && thresholds.length === 0)
    throw new UsageError('--junit: there are no limits to write; give some with --max.');
  const printed = PRINTED.find((name) => flags[name]);
  if (flags.json && printed)
    throw new UsageError(`--json and --${printed} would both write to standard output; use --out for the JSON.`);
  const { keepEnv } = wholeRunOptions(flags);
  const target = targets(flags, io.cwd);
  const progress: PlanProgress | null = (flags.progress ?? io.interactive) ? planProgress(io.err.bind(io)) : null;
  const measured = await measureLatency({
    file,
    overrides: overridesOf(flags),
    paramOverrides: paramOverrides(flags.param ?? []),
    ...(flags.only === undefined ? {} : { only: regexp(flags.only) }),
    ...(flags.node === undefined ? {} : { nodeExecutable: flags.node }),
    ...(flags.loader === undefined ? {} : { loader: flags.loader }),
    ...(keepEnv === undefined ? {} : { keepEnv }),
    toolVersion: packageVersion(),
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    onEvent(event) {
      if (event.type === 'described') checkLimits(thresholds, event.measurements);
      else progress?.event(event);
    },
  });
  if (!measured.ok) {
    if (io.signal.aborted) return interrupted(io);
    io.err(
      `tscope: ${file}: ${measured.failure.message}\n${measured.failure.stack ? `${measured.failure.stack}\n` : ''}`,
    );
    return EXIT.usage;
  }
  const { results } = measured;
  if (results.length === 0 && !io.signal.aborted)
    throw new UsageError(`--only ${flags.only}: no measurement of ${file} has such a name`);
  io.out(
    flags.json
      ? `${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`
      : results.map(reportText).join('\n'),
  );
  if (flags.plot) io.out(results.map(plotText).join('\n'));
  if (flags.teamcity) {
    const prefix = typeof flags.teamcity === 'string' ? flags.teamcity : undefined;
    const prefixOf = (data: LatencyData) => (results.length > 1 ? `${prefix}.${titleOf(data)}` : prefix);
    io.out(results.map((data) => teamCityText(data, prefix === undefined ? undefined : prefixOf(data))).join(''));
  }
  const texts = {
    out: (data: LatencyData) => `${JSON.stringify(data)}\n`,
    csv: csvText,
    hlog: hlogText,
    percentiles: percentilesText,
  };
  const files = Object.entries(texts).flatMap(([name, text]) => {
    const path = target[name as keyof typeof texts];
    if (path === undefined) return [];
    return results.map((data, i) => [numbered(path, i, results.length), () => text(data)] as const);
  });

  let code: number = writeAll(files, io) ? EXIT.ok : EXIT.failed;
  const judged: JudgedLimits[] = [];
  for (const data of results) {
    const checked = checkThresholds(data, thresholds);
    const title = titleOf(data);
    const which = results.length > 1 ? `${title}: ` : '';
    judged.push({ name: title, file, results: checked });
    for (const { status, message } of checked) {
      (flags.json ? io.err : io.out).call(io, `${status === 'kept' ? 'kept' : 'FAILED'}: ${which}${message}\n`);
      if (status !== 'kept') code = EXIT.failed;
    }
    for (const fork of data.forks) {
      if (fork.failure) {
        io.err(`tscope: ${title}, fork ${fork.index + 1}: ${fork.failure.phase}: ${fork.failure.message}\n`);
        if (fork.failure.stack) io.err(`${fork.failure.stack}\n`);
      }
      const errors = fork.runs.some((run) => run.findings.some(({ severity }) => severity === 'error'));
      if (fork.status === 'failed' || errors) code = EXIT.failed;
    }
  }
  if (target.junit !== undefined && !writeAll([[target.junit, () => limitsJunit(judged)]], io)) code = EXIT.failed;
  return io.signal.aborted ? interrupted(io) : code;
}

function interrupted(io: Io): number {
  return io.signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}
