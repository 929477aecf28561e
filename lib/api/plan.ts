import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { topology } from '../cpu/topology.js';
import { type OptionSource, RESULT_VERSION, type RunResult, type StopRule, type Trial } from '../result/model.js';
import { captureEnvironment } from '../runner/capture.js';
import { type CpuChoice, chooseCpus } from '../runner/cpus.js';
import { recordedWholeRun } from '../runner/options/whole-run.js';
import type { RunPlan } from '../runner/types.js';
import type { Prepared } from './prepare.js';
import { packageVersion } from './version.js';

/** What of a run is not in its trials. */
export interface PlanSettings {
  readonly cwd: string;
  /** Default random. */
  readonly seed?: number | undefined;
  readonly order: RunPlan['order'];
  /** Stop at the first failure. */
  readonly failFast: boolean;
  /** Forks of a trial that may be run again because their canaries strayed; default 0. */
  readonly strayReruns?: number | undefined;
  /** Command line, for the record. */
  readonly command: readonly string[];
  /** Where settings were made, for the record. */
  readonly source: OptionSource;
  /** Adaptive run: when there are enough forks. Needs order `random`. */
  readonly stop?: StopRule | undefined;
}

/** A run that can begin. */
export interface PlannedRun {
  readonly plan: RunPlan;
  /** The result as it looks before the first fork: trials without forks. */
  readonly head: RunResult;
  /** What preparing and choosing CPUs brought up; belongs to the result. */
  readonly findings: CpuChoice['findings'];
}

/** Folder of all runs below the working directory. */
export const runsDir = (cwd: string): string => join(cwd, '.tscope/runs');

/** `20261130-142501-9f3a`: sorts by time, unique within a second. */
function newRunId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}

/** Hardware threads that share a core with a CPU; none known without the addon. */
function siblingsOf(): (cpu: number) => readonly number[] {
  const machine = topology();
  return (cpu) => (machine.ok ? (machine.topology.cores.find(({ cpus }) => cpus.includes(cpu))?.cpus ?? []) : []);
}

/** Trials as they look before the first fork. */
function emptyTrials(plan: RunPlan): Trial[] {
  return plan.trials.map((trial) => ({
    id: trial.id,
    file: trial.fileLabel,
    suite: trial.suite,
    benchmark: trial.benchmark,
    params: trial.params,
    mode: trial.mode,
    baseline: trial.baseline,
    options: trial.options,
    status: 'ok',
    failure: null,
    forks: [],
    score: null,
    secondary: {},
    ...(trial.counters ? { counters: trial.counters } : {}),
    findings: [],
  }));
}

/** Looks at the machine, chooses CPUs and names the run. Nothing is written yet. */
export function planRun(
  { trials: asked, loader, nodeExecutable, wholeRun, findings: before, versions }: Prepared,
  settings: PlanSettings,
): PlannedRun {
  const { strayReruns } = settings;
  const policy = { value: strayReruns ?? 0, source: strayReruns === undefined ? 'default' : settings.source } as const;
  // Which forks count is part of how a result came about, like every other option.
  const whole = recordedWholeRun(wholeRun, settings.stop !== undefined);
  const trials = asked.map((trial) => ({
    ...trial,
    options: { ...trial.options, strayReruns: policy, ...whole },
  }));
  const flags = trials[0]?.nodeArgs ?? [];
  const environment = captureEnvironment({ executable: nodeExecutable, flags, versions });
  const threads = Math.max(...trials.map((trial) => trial.fork.threads));
  const { findings: chosen, ...pin } = chooseCpus(
    environment.allowedCpus,
    environment.isolatedCpus,
    threads,
    siblingsOf(),
  );
  const id = newRunId(new Date());
  const seed = settings.seed ?? randomInt(2 ** 32);
  const { order, failFast, cwd } = settings;
  const plan: RunPlan = {
    id,
    seed,
    trials,
    order,
    environment,
    command: [...settings.command],
    runDir: join(runsDir(cwd), id),
    toolVersion: packageVersion(),
    pin,
    failFast,
    ...(strayReruns === undefined ? {} : { strayReruns }),
    loader,
    cwd,
    ...(wholeRun.options.keepEnv ? { keepEnv: wholeRun.options.keepEnv } : {}),
    ...(settings.stop ? { stop: settings.stop } : {}),
  };
  const head: RunResult = {
    format: 'tscope-result',
    version: RESULT_VERSION,
    id,
    createdAt: '',
    finishedAt: null,
    tool: { name: 'tscope', version: plan.toolVersion },
    status: 'interrupted',
    seed,
    environment,
    command: plan.command,
    trials: emptyTrials(plan),
    findings: [],
  };
  return { plan, head, findings: [...before, ...chosen] };
}
