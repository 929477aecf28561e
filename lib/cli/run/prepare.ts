import { availableParallelism } from 'node:os';
import { defaultCacheDir } from '../../loader/index.js';
import type { LoaderPlan, SuiteDescription } from '../../protocol/messages.js';
import type { LoadedConfig } from '../../runner/config.js';
import { describeFile } from '../../runner/describe.js';
import { discover } from '../../runner/discover.js';
import { environmentOptions } from '../../runner/options/environment.js';
import type { Layer } from '../../runner/options/merge.js';
import { type DescribedFile, OptionError, planTrials } from '../../runner/options/trials.js';
import type { TrialPlan } from '../../runner/types.js';
import { UsageError } from '../../runner/usage-error.js';
import { didYouMean } from '../../suite/suggest.js';
import type { Io } from '../io.js';
import { commandLineOptions, flagName, paramOverrides, patterns } from '../run-flags.js';

/** Flags of `tscope run` as commander hands them over. */
export interface RunFlags extends Readonly<Record<string, unknown>> {
  readonly param: readonly string[];
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly node?: string;
  readonly loader: string;
  readonly keepChunks?: boolean;
  readonly canaries: boolean;
  readonly linearity: boolean;
}

/** Everything known before the first fork: the files and their trials. */
export interface Prepared {
  readonly files: readonly DescribedFile[];
  readonly trials: readonly TrialPlan[];
  readonly loader: LoaderPlan;
  readonly nodeExecutable: string;
}

function checkOverrides(
  overrides: Readonly<Record<string, readonly string[]>>,
  suites: readonly SuiteDescription[],
): void {
  const known = new Set(suites.flatMap((suite) => Object.keys(suite.params)));
  for (const name of Object.keys(overrides)) {
    if (known.has(name)) continue;
    const hint =
      known.size === 0 ? ' No suite here has params.' : didYouMean(name, known) || ` Known: ${[...known].join(', ')}.`;
    throw new UsageError(`${flagName('--param')}: no suite has a param "${name}".${hint}`);
  }
}

/** Loads every file in a process of its own and asks what it holds; all mistakes are reported together. */
async function describeAll(
  inputs: readonly string[],
  overrides: Readonly<Record<string, readonly string[]>>,
  loader: LoaderPlan,
  nodeExecutable: string,
  cwd: string,
): Promise<DescribedFile[]> {
  const problems: string[] = [];
  const described: DescribedFile[] = [];
  for (const { file, label } of discover(inputs, cwd)) {
    const answer = await describeFile({ file, paramOverrides: overrides, loader, nodeExecutable, cwd });
    if (answer.ok) described.push({ file, label, suites: answer.suites });
    else problems.push(`${label}: ${answer.failure.message}`);
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return described;
}

/**
 * From flags to trials.
 *
 * @throws UsageError for every mistake that can be found before measuring.
 */
export async function prepare(
  inputs: readonly string[],
  flags: RunFlags,
  config: LoadedConfig,
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<Prepared> {
  const fromEnvironment = environmentOptions(io.env);
  if ('problem' in fromEnvironment) throw new UsageError(fromEnvironment.problem);
  const layers: Layer[] = [
    { source: 'config', options: config.options },
    { source: 'environment', options: fromEnvironment.options },
    { source: 'command line', options: commandLineOptions(flags) },
  ];
  const overrides = paramOverrides(flags.param);
  const include = patterns('--only', flags.only);
  const exclude = patterns(
    '--exclude',
    flags.exclude.flatMap((list) => list.split(',')),
  );
  const nodeExecutable = flags.node ?? config.node ?? process.execPath;
  const loader: LoaderPlan = { cacheDir: defaultCacheDir(io.cwd), mode: flags.loader as LoaderPlan['mode'] };
  const wanted = inputs.length > 0 ? inputs : (config.files ?? []);
  const files = await describeAll(wanted, overrides, loader, nodeExecutable, io.cwd);
  checkOverrides(
    overrides,
    files.flatMap((file) => file.suites),
  );
  try {
    const trials = planTrials(files, {
      layers,
      include,
      exclude,
      cpus: availableParallelism(),
      nodeExecutable,
      keepChunks: flags.keepChunks === true,
      canaries: flags.canaries,
      linearityCheck: flags.linearity,
    });
    if (trials.length > 0) return { files, trials, loader, nodeExecutable };
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(error.message);
    throw error;
  }
  const names = files.flatMap((f) => f.suites.flatMap((s) => s.benchmarks.map((b) => `${s.name}.${b.name}`)));
  throw new UsageError(
    `no benchmark is left after ${flagName('--only')} and ${flagName('--exclude')}; there are: ${names.join(', ')}.`,
  );
}
