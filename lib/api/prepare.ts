import { availableParallelism } from 'node:os';
import { defaultCacheDir } from '../loader/index.js';
import type { DeclaredOptions, LoaderPlan, SuiteDescription } from '../protocol/messages.js';
import type { Finding, OptionSource } from '../result/model.js';
import type { LoadedConfig } from '../runner/config.js';
import { describeFile } from '../runner/describe.js';
import { discover } from '../runner/discover.js';
import { environmentOptions, environmentWholeRun } from '../runner/options/environment.js';
import { type Layer, mergeLayers } from '../runner/options/merge.js';
import { type DescribedFile, OptionError, planTrials } from '../runner/options/trials.js';
import type { MergedWholeRun } from '../runner/options/whole-run.js';
import type { TrialPlan } from '../runner/types.js';
import { UsageError } from '../runner/usage-error.js';
import { didYouMean } from '../suite/suggest.js';
import type { WholeRun } from '../suite/whole-run.js';
import { exportInput } from './export-input.js';

/** What to measure and how, from a command line or from a call. */
export interface PrepareRequest {
  /** Files, folders, globs or `module#export`; none = those of the config file, else the working directory. */
  readonly inputs: readonly string[];
  /** The highest layer of options, and its name in results. */
  readonly options: DeclaredOptions;
  readonly source: OptionSource;
  /** The highest layer of what concerns the run as a whole. */
  readonly wholeRun: WholeRun;
  /** Values of params as text, by name. */
  readonly params: Readonly<Record<string, readonly string[]>>;
  /** Full names to keep (none = all) and to leave out. */
  readonly only: readonly RegExp[];
  readonly exclude: readonly RegExp[];
  readonly config: LoadedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly node?: string | undefined;
  readonly loader: LoaderPlan['mode'];
  readonly keepChunks: boolean;
  readonly canaries: boolean;
  readonly linearity: boolean;
  /** What the caller calls these settings, for messages. */
  readonly names: { readonly param: string; readonly only: string; readonly exclude: string };
  readonly signal?: AbortSignal;
}

/** Everything known before the first fork: the files and their trials. */
export interface Prepared {
  readonly files: readonly DescribedFile[];
  readonly trials: readonly TrialPlan[];
  readonly loader: LoaderPlan;
  readonly nodeExecutable: string;
  /** What holds for the run as a whole, from all layers. */
  readonly wholeRun: MergedWholeRun;
  /** What preparing brought up; belongs to the result. */
  readonly findings: readonly Finding[];
  /** Versions of that executable. */
  readonly versions: { readonly node: string; readonly v8: string };
}

function checkParams(request: PrepareRequest, suites: readonly SuiteDescription[]): void {
  const known = new Set(suites.flatMap((suite) => Object.keys(suite.params)));
  for (const name of Object.keys(request.params)) {
    if (known.has(name)) continue;
    const hint =
      known.size === 0 ? ' No suite here has params.' : didYouMean(name, known) || ` Known: ${[...known].join(', ')}.`;
    throw new UsageError(`${request.names.param}: no suite has a param "${name}".${hint}`);
  }
}

/** Loads every file in a process of its own and asks what it holds; all mistakes are reported together. */
async function describeAll(
  inputs: readonly string[],
  request: PrepareRequest,
  loader: LoaderPlan,
  nodeExecutable: string,
  keepEnv: readonly string[],
): Promise<{ files: DescribedFile[]; versions: Prepared['versions'] }> {
  const { params: paramOverrides, cwd, signal } = request;
  const problems: string[] = [];
  const described: DescribedFile[] = [];
  let versions: Prepared['versions'] = process.versions;
  for (const { file, label } of discover(
    inputs.map((input) => exportInput(input, cwd)),
    cwd,
  )) {
    signal?.throwIfAborted();
    const answer = await describeFile(
      { file, paramOverrides, loader, nodeExecutable, cwd, keepEnv },
      signal ? { signal } : {},
    );
    signal?.throwIfAborted();
    if (answer.ok) {
      described.push({ file, label, suites: answer.suites, plain: answer.loader === 'none' });
      versions = { node: answer.node, v8: answer.v8 };
    } else problems.push(`${label}: ${answer.failure.message}`);
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return { files: described, versions };
}

/** Names to keep that are not set: forks see nothing of them, which must not look as if they did. */
function unsetFindings(keepEnv: readonly string[], env: PrepareRequest['env']): Finding[] {
  const unset = keepEnv.filter((name) => env[name] === undefined);
  if (unset.length === 0) return [];
  const message = `${unset.join(', ')} ${unset.length === 1 ? 'is' : 'are'} to be kept for forks (keepEnv) but not set here, so forks do not have ${unset.length === 1 ? 'it' : 'them'}; set ${unset.length === 1 ? 'it' : 'them'}, or keep fewer names.`;
  return [{ id: 'env-not-set', severity: 'info', message }];
}

/**
 * From a request to trials.
 *
 * @throws UsageError for every mistake that can be found before measuring; the signal's reason when it is aborted meanwhile.
 */
export async function prepare(request: PrepareRequest): Promise<Prepared> {
  const { config, cwd, names, only, exclude } = request;
  const fromEnvironment = environmentOptions(request.env);
  if ('problem' in fromEnvironment) throw new UsageError(fromEnvironment.problem);
  const layers: Layer[] = [
    { source: 'config', options: config.options },
    { source: 'environment', options: fromEnvironment.options },
    { source: request.source, options: request.options },
  ];
  const wholeFromEnvironment = environmentWholeRun(request.env);
  if ('problem' in wholeFromEnvironment) throw new UsageError(wholeFromEnvironment.problem);
  const wholeRun = mergeLayers<WholeRun>([
    { source: 'config', options: config.wholeRun ?? {} },
    { source: 'environment', options: wholeFromEnvironment.options },
    { source: request.source, options: request.wholeRun },
  ]);
  const keepEnv = wholeRun.options.keepEnv ?? [];
  const nodeExecutable = request.node ?? config.node ?? process.execPath;
  const loader: LoaderPlan = { cacheDir: defaultCacheDir(cwd), mode: request.loader };
  const wanted = request.inputs.length > 0 ? request.inputs : (config.files ?? []);
  const { files, versions } = await describeAll(wanted, request, loader, nodeExecutable, keepEnv);
  checkParams(
    request,
    files.flatMap((file) => file.suites),
  );
  try {
    const trials = planTrials(files, {
      layers,
      include: only,
      exclude,
      cpus: availableParallelism(),
      nodeExecutable,
      keepChunks: request.keepChunks,
      canaries: request.canaries,
      linearityCheck: request.linearity,
    });
    if (trials.length > 0) {
      const findings = unsetFindings(keepEnv, request.env);
      return { files, trials, loader, nodeExecutable, wholeRun, findings, versions };
    }
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(error.message);
    throw error;
  }
  const all = files.flatMap((f) => f.suites.flatMap((s) => s.benchmarks.map((b) => `${s.name}.${b.name}`)));
  throw new UsageError(`no benchmark is left after ${names.only} and ${names.exclude}; there are: ${all.join(', ')}.`);
}
