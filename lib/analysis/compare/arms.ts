/** Reduces a result of ours to what a comparison needs. */
import type { Fork, Iteration, Mode, RunResult, TimeUnit, Trial } from '../../result/model.js';
import { NS_PER } from '../../result/units.js';
import { forkAware } from '../aware.js';
import { betterOf, forkScore, scoreUnit } from '../score.js';
import { type SecondaryMetric, secondaryMetrics } from '../secondary-metrics.js';
import { mergeBuckets } from './buckets.js';
import type { Arm, ComparedRun, ForkSample } from './types.js';

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

function bucketsOf(fork: Fork, nsPerUnit: number): ForkSample['buckets'] {
  const lists = fork.iterations.map(({ histogram }) => histogram?.buckets ?? []);
  const merged = mergeBuckets(lists);
  return merged.length === 0 ? null : merged.map(([ns, count]) => [ns / nsPerUnit, count]);
}

function sampleOf(fork: Fork, mode: Mode, unit: TimeUnit, secondary: readonly SecondaryMetric[]): ForkSample | null {
  const value = forkScore(fork, mode, unit);
  if (value === null || !Number.isFinite(value)) return null;
  const startMs = Date.parse(fork.startedAt);
  const known = Number.isFinite(startMs);
  return {
    fork: fork.index,
    value,
    aware: forkAware(fork, mode, unit),
    iterations: fork.iterations.length,
    buckets: mode === 'sample' ? bucketsOf(fork, NS_PER[unit]) : null,
    secondary: Object.fromEntries(secondary.map(({ name, of }) => [name, of(fork)])),
    round: fork.round,
    startMs: known ? startMs : null,
    endMs: known ? startMs + fork.wallMs : null,
  };
}

function lostShare(iterations: readonly Iteration[]): number {
  let [lost, elapsed] = [0, 0];
  for (const { aware, elapsedNs } of iterations) {
    lost += aware?.excludedNs ?? 0;
    elapsed += elapsedNs;
  }
  return elapsed > 0 ? lost / elapsed : 0;
}

/** The arm that a trial is. */
export function armOf(trial: Trial): Arm {
  const unit = (trial.options.unit?.value ?? 'ns') as TimeUnit;
  const ok = trial.forks.filter((fork) => fork.status === 'ok');
  const planned = trial.options.forks?.value;
  const failed = trial.forks.length - ok.length;
  const secondary = secondaryMetrics(trial);
  return {
    key: trial.id,
    file: trial.file,
    suite: trial.suite,
    name: `${trial.suite}.${trial.benchmark}`,
    params: trial.params,
    mode: trial.mode,
    unit: scoreUnit(trial.mode, unit),
    better: betterOf(trial.mode),
    baseline: trial.baseline,
    forks: ok.map((fork) => sampleOf(fork, trial.mode, unit, secondary)).filter((sample) => sample !== null),
    planned: typeof planned === 'number' ? planned : null,
    failed: failed === 0 && trial.status === 'failed' ? 1 : failed,
    failure: trial.failure?.message ?? null,
    lostShare: lostShare(ok.flatMap((fork) => fork.iterations)),
    canaries: ok.flatMap((fork) => {
      const times = fork.iterations.flatMap(({ canary }) => (canary === null ? [] : [canary.arithmeticNs]));
      return times.length > 0 ? [median(times)] : [];
    }),
    secondary: secondary.map(({ name, unit, better, kind }) => ({ name, unit, better, counts: kind === 'events' })),
  };
}

/**
 * Options that do not shape what a fork measures: how many forks there are, in which unit, and when to give up. How many iterations a fork has only
 * changes how well it is known, so adaptive runs may differ in it; but shots of one process are not alike, so there it counts.
 */
const HARMLESS = new Set([
  ...['forks', 'unit', 'timeoutMs', 'mode'],
  // How long to go on; see the sentence about iterations.
  ...['precision', 'precisionRule', 'maxForks', 'budgetMs'],
]);
const harmless = (name: string, mode: Mode) => HARMLESS.has(name) || (name === 'iterations' && mode !== 'ss');

const show = (value: unknown): string => (value === null ? 'none' : String(value));

/** What must be alike in two runs of a trial. */
export function trialFacts(trial: Trial): Map<string, string> {
  // What forks see of the environment: nothing more where nothing is recorded.
  const facts = new Map<string, string>([['option keepEnv', show(null)]]);
  for (const [name, { value }] of Object.entries(trial.options)) {
    if (!harmless(name, trial.mode)) facts.set(`option ${name}`, show(value));
  }
  const ok = trial.forks.filter((fork) => fork.runtime !== null);
  const set = (name: string, of: (fork: Fork) => string) =>
    facts.set(name, [...new Set(ok.map(of))].sort().join(' and '));
  if (ok.length > 0) {
    set('clock of the forks', (fork) => `${fork.runtime!.clock.backend} ${fork.runtime!.clock.source}`);
    set('pinning of the forks', (fork) => (fork.runtime!.pinnedCpu === null ? 'not pinned' : 'pinned'));
  }
  return facts;
}

/** What must be alike in two runs of ours. */
export function runFacts({ environment: env }: Pick<RunResult, 'environment'>): Map<string, string> {
  return new Map([
    ['harness', 'tscope'],
    ['Node', env.node],
    ['Node flags', env.nodeFlags.join(' ') || 'none'],
    ['CPU model', env.cpuModel],
    ['platform', `${env.platform} ${env.arch}`],
    ['backend', env.backend],
    ['governor', show(env.governor)],
    ['turbo', show(env.turbo)],
    ['SMT', show(env.smt)],
    ['CPU quota', show(env.cpuQuota)],
  ]);
}

/** A result of ours, ready to be compared. */
export function comparedRun(result: RunResult, name: string): ComparedRun {
  const { environment: env } = result;
  return {
    name,
    harness: 'tscope',
    id: result.id,
    createdAt: result.createdAt,
    arms: result.trials.map(armOf),
    facts: runFacts(result),
    armFacts: new Map(result.trials.map((trial) => [trial.id, trialFacts(trial)])),
    softFacts: new Map([
      ['host', env.host],
      ['kernel', env.kernel],
      ['tscope', result.tool.version],
    ]),
  };
}
