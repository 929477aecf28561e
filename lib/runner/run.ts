/** Runs a plan: fork after fork in the scheduled order, journalled, until everything is measured or the run is stopped. */
import { fileURLToPath } from 'node:url';
import { loaderArgs } from '../loader/index.js';
import { PROTOCOL_VERSION } from '../protocol/messages.js';
import { type Finding, type Fork, RESULT_VERSION, type RunResult, type StopRule, type Trial } from '../result/model.js';
import { mulberry32, shuffle } from '../stats/prng.js';
import { forkCpus } from './cpus.js';
import { runFork } from './fork.js';
import { forkEnv } from './fork-env.js';
import type { Journal, RerunReason } from './journal.js';
import type { Launch } from './launch.js';
import type { HostAffinity } from './leave-cpus.js';
import { Progress } from './progress.js';
import { ForkRecorder } from './recorder.js';
import { forkSeed, type Slot, schedule } from './schedule.js';
import type { Sources } from './sources.js';
import { StrayForks } from './stray-forks.js';
import { TrialState } from './trial-state.js';
import type { Clock, CpuPlan, RunEvent, RunPlan, TrialPlan } from './types.js';

/** Attempts at one fork while the clock jumps in it, or the canaries stray. */
const MAX_ATTEMPTS = 3;

/** The world as the runner needs it. */
export interface RunDeps {
  readonly launch: Launch;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly onEvent: (event: RunEvent) => void;
  /** Aborting stops the run: the fork in flight is killed and lost, everything before is kept. */
  readonly signal: AbortSignal;
  /** Watches the benchmark files for changes. */
  readonly sources: Sources;
  /** The host's environment, from which the forks' is built. Default process.env. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Script of a fork. Default: the engine of this package. */
  readonly engine?: string;
  /** Takes the host off the measured CPUs; called once, undone at the end. */
  readonly leaveCpus?: (cpus: CpuPlan) => HostAffinity;
  /** When the run began, ISO 8601. Default: now. */
  readonly createdAt?: string;
  /**
   * Forks that each trial should have, in all, under the plan's stop rule; asked after each round, never within one. Must depend on nothing but its
   * arguments: a run that is taken up again asks anew.
   */
  readonly forksWanted?: (rule: StopRule, trials: readonly Trial[]) => readonly number[];
  /** Forks that an earlier, interrupted run finished. */
  readonly earlier?: readonly EarlierFork[];
}

/** What {@link resumeRun} read back. */
export interface EarlierFork {
  readonly slot: string;
  readonly fork: Fork;
  /** This attempt did not count. */
  readonly rerun: boolean;
  readonly why?: RerunReason;
}

/** Name of a slot in the journal. */
export function slotKey({ trial, fork }: Pick<Slot, 'trial' | 'fork'>): string {
  return `${trial}.${fork}`;
}

/** What canaries must have in common to be compared, and the cost of the black hole to be shared: they are code, too. */
const nodeOf = (trial: TrialPlan): string => [trial.nodeExecutable, ...trial.nodeArgs].join(' ');

/** lib/engine in few files; the build makes them. */
const ENGINE = fileURLToPath(new URL('../fork/main.js', import.meta.url));

/**
 * Runs `plan` and returns its result, scores still null (they are computed from the forks by the analysis).
 *
 * A failing fork fails its trial and nothing else, unless the plan says failFast. Never rejects because of what user code does.
 */
export async function runPlan(plan: RunPlan, deps: RunDeps): Promise<RunResult> {
  const affinity = deps.leaveCpus?.(plan.pin);
  // Children inherit the CPUs of the thread that starts them, so the host steps back for that moment.
  const launch: Launch = affinity ? (request) => affinity.outside(() => deps.launch(request)) : deps.launch;
  const run = new Run(plan, { ...deps, launch });
  for (const finding of affinity?.findings ?? []) run.warn(finding);
  try {
    await run.all();
  } finally {
    affinity?.restore();
  }
  return run.result();
}

class Run {
  readonly #plan: RunPlan;
  readonly #deps: RunDeps;
  readonly #states: readonly TrialState[];
  readonly #slots: readonly Slot[];
  readonly #progress: Progress;
  readonly #stray = new StrayForks();
  /** Nodes under which the black hole has been timed. */
  readonly #timed = new Set<string>();
  readonly #findings: Finding[] = [];
  readonly #createdAt: string;
  readonly #startedMs: number;
  #stopped = false;
  #journalLost = false;

  constructor(plan: RunPlan, deps: RunDeps) {
    this.#plan = plan;
    this.#deps = deps;
    this.#states = plan.trials.map((trial) => new TrialState(trial));
    this.#slots = schedule(plan.trials, plan.order, plan.seed);
    this.#progress = new Progress(plan.trials);
    this.#startedMs = deps.clock.now();
    this.#createdAt = deps.createdAt ?? new Date(deps.clock.epochMs()).toISOString();
    if (deps.earlier) this.#takeEarlier(deps.earlier);
  }

  warn(finding: Finding): void {
    this.#findings.push(finding);
    this.#deps.onEvent({ type: 'warning', finding });
  }

  #takeEarlier(forks: readonly EarlierFork[]): void {
    for (const { slot, fork, rerun, why } of forks) {
      const [trial, index] = slot.split('.').map(Number) as [number, number];
      const state = this.#states[trial];
      if (!state) continue;
      const strayed = fork.status === 'ok' && this.#stray.strayed(nodeOf(state.plan), fork.iterations);
      if (strayed && !rerun && index >= 0 && this.#plan.strayReruns) state.keepStray();
      if (rerun) state.addRerun(index, why);
      else this.#keep(state, index, fork);
    }
    this.warn({
      id: 'resumed',
      severity: 'info',
      message: `Resumed: ${forks.length} forks (${this.#slots.length} were planned${this.#plan.stop ? ' before the stop rule asked for more' : ''}) were measured before the interruption and were not repeated.`,
      data: { forksBefore: forks.length },
    });
  }

  #keep(state: TrialState, index: number, fork: Fork): void {
    state.add(index, fork);
    if (index >= 0 && fork.status === 'ok' && fork.overhead?.blackhole) this.#timed.add(nodeOf(state.plan));
  }

  /** The planned slots, then, under a stop rule, round after round of the trials that it wants more forks of. */
  *#order(): Generator<Slot> {
    yield* this.#slots;
    const { stop, trials, seed } = this.#plan;
    const { forksWanted } = this.#deps;
    if (!stop || !forksWanted) return;
    // Another stream than the planned rounds': it does not depend on how many draws those took.
    const random = mulberry32(seed ^ 0x5bd1e995);
    for (let round = Math.max(...trials.map(({ forks, warmupForks }) => forks + warmupForks)); ; round++) {
      if (this.#stopped) return;
      const wanted = forksWanted(
        stop,
        this.#states.map((state) => state.toTrial()),
      );
      const members = [...trials.keys()].filter((trial) => {
        const state = this.#states[trial]!;
        return state.planned < wanted[trial]! && !state.failed;
      });
      if (members.length === 0) return;
      shuffle(members, random);
      const slots = members.map((trial, position) => ({ trial, fork: this.#states[trial]!.planned, round, position }));
      for (const trial of members) {
        this.#states[trial]!.expectOne();
        this.#progress.expectOne(trial);
      }
      yield* slots;
    }
  }

  /** Runs every slot that is left. */
  async all(): Promise<void> {
    const adaptive = this.#plan.stop !== undefined && this.#deps.forksWanted !== undefined;
    const left = this.#plan.trials.map(({ forks, warmupForks }) => forks + warmupForks);
    for (const slot of this.#order()) {
      const state = this.#states[slot.trial]!;
      if (!state.has(slot.fork) && !state.givenUp) {
        if (this.#deps.signal.aborted || this.#stopped) {
          this.#stopped = true;
          continue;
        }
        const wallMs = await this.#slot(slot, state);
        if (wallMs === null) {
          this.#stopped = true;
          continue;
        }
        this.#progress.finished(slot.trial, wallMs);
        if (this.#plan.failFast && state.failed) this.#stopped = true;
      } else {
        this.#progress.finished(slot.trial, null);
      }
      this.#tellProgress();
      if (--left[slot.trial]! === 0 && !adaptive)
        this.#deps.onEvent({ type: 'trial-finished', trial: state.toTrial() });
    }
    // Under a stop rule any round may be followed by another.
    if (adaptive && !this.#stopped) {
      for (const state of this.#states) this.#deps.onEvent({ type: 'trial-finished', trial: state.toTrial() });
    }
  }

  /** Runs one slot until an attempt counts. Returns its wall time in ms, null when the run was stopped meanwhile. */
  async #slot(slot: Slot, state: TrialState): Promise<number | null> {
    const { onEvent, journal } = this.#deps;
    const key = slotKey(slot);
    const discarded = slot.fork < 0;
    onEvent({
      type: 'fork-started',
      trial: state.plan,
      fork: discarded ? null : slot.fork,
      round: slot.round,
      position: slot.position,
      command: this.#command(state.plan),
    });
    for (let attempt = 1; ; attempt++) {
      const recorder = new ForkRecorder(state.plan.fork.iterations);
      const frame = await this.#attempt(slot, state.plan, recorder, attempt);
      if (frame === null) return null;
      const good = frame.failure === null;
      const most = slot.fork < 0 ? 0 : (this.#plan.strayReruns ?? 0);
      // Learnt from every good fork, also where none is run again.
      const strayed = good && this.#stray.strayed(nodeOf(state.plan), recorder.measured);
      const why: RerunReason = recorder.clockJumped ? 'clock' : 'canary';
      const wanted = recorder.clockJumped || (strayed && state.strayReruns < most);
      const rerun = good && wanted && attempt < MAX_ATTEMPTS;
      if (strayed && most > 0 && !rerun) state.keepStray();
      journal.append({ type: 'end', slot: key, frame, rerun, ...(rerun ? { why } : {}) });
      journal.sync();
      this.#checkJournal();
      if (rerun) {
        state.addRerun(slot.fork, why);
        continue;
      }
      const fork = recorder.finish(frame);
      this.#keep(state, slot.fork, fork);
      onEvent({ type: 'fork-finished', trial: state.plan, fork, discarded });
      return frame.wallMs;
    }
  }

  async #attempt(slot: Slot, trial: TrialPlan, recorder: ForkRecorder, attempt: number) {
    const { journal, launch, clock, signal, sources } = this.#deps;
    const key = slotKey(slot);
    const index = slot.fork < 0 ? null : slot.fork;
    const place = { index: Math.max(slot.fork, 0), round: slot.round, position: slot.position };
    const changed = sources.changed(trial.file);
    if (changed !== null) {
      const failure = { phase: 'source', message: changed, stack: null, fork: index, exitCode: null, signal: null };
      const startedAt = new Date(clock.epochMs()).toISOString();
      journal.append({ type: 'start', slot: key, pid: null, startedAt });
      return { ...place, startedAt, wallMs: 0, failure, findings: [], output: { stdout: '', stderr: '' } };
    }
    const end = await runFork(this.#job(slot, trial, index), recorder, {
      launch,
      clock,
      signal,
      onLaunch: (pid, startedAt) => journal.append({ type: 'start', slot: key, pid, startedAt }),
      onMessage: (message) => journal.append({ type: 'message', slot: key, message }),
    });
    if (end.aborted) return null;
    const { startedAt, wallMs, findings, output } = end;
    let { failure } = end;
    if (failure === null && recorder.clockJumped && attempt === MAX_ATTEMPTS) {
      const message = `the clock jumped in ${MAX_ATTEMPTS} attempts in a row: this machine's clock cannot time it (suspended, migrated, or its counter is not stable)`;
      failure = { phase: 'clock', message, stack: null, fork: index, exitCode: null, signal: null };
    }
    return { ...place, startedAt, wallMs, failure, findings, output };
  }

  #command({ nodeExecutable, nodeArgs, plain }: TrialPlan): string[] {
    const { engine = ENGINE } = this.#deps;
    return [nodeExecutable, ...nodeArgs, ...loaderArgs(this.#plan.loader, false, plain), engine];
  }

  #job(slot: Slot, trial: TrialPlan, index: number | null) {
    const { hostEnv = process.env } = this.#deps;
    const { pin, loader, keepEnv = [], cwd = process.cwd(), id } = this.#plan;
    const seed = forkSeed(this.#plan.seed, slot);
    const unpinned = trial.options.pin?.value === false;
    const cpus = unpinned ? { pinCpus: null, helperCpus: null } : forkCpus(pin, trial.fork.threads);
    return {
      argv: this.#command(trial),
      env: forkEnv(hostEnv, keepEnv, mulberry32(seed).float(), `${id}/${slotKey(slot)}`),
      cwd,
      plan: {
        ...trial.fork,
        kind: 'fork' as const,
        protocol: PROTOCOL_VERSION,
        file: trial.file,
        suite: trial.suite,
        benchmark: trial.method ?? trial.benchmark,
        params: trial.params,
        mode: trial.mode,
        ...cpus,
        seed,
        loader,
        // A fork that only warms the machine up leaves no record.
        blackholeCost: index !== null && !this.#timed.has(nodeOf(trial)),
      },
      timeoutMs: trial.forkTimeoutMs,
      index,
    };
  }

  #checkJournal(): void {
    const { lost } = this.#deps.journal;
    if (lost === null || this.#journalLost) return;
    this.#journalLost = true;
    this.warn({
      id: 'journal-lost',
      severity: 'error',
      message: `From here on ${lost}. The run goes on in memory and its result is complete, but a crash now would lose it, and it cannot be resumed.`,
    });
  }

  #tellProgress(): void {
    const { done, total } = this.#progress;
    const elapsedMs = this.#deps.clock.now() - this.#startedMs;
    this.#deps.onEvent({ type: 'progress', done, total, elapsedMs, etaMs: this.#progress.etaMs() });
  }

  result(): RunResult {
    const { id, seed, environment, command, toolVersion } = this.#plan;
    return {
      format: 'tscope-result',
      version: RESULT_VERSION,
      id,
      createdAt: this.#createdAt,
      finishedAt: this.#stopped ? null : new Date(this.#deps.clock.epochMs()).toISOString(),
      tool: { name: 'tscope', version: toolVersion },
      status: this.#stopped ? 'interrupted' : 'complete',
      seed,
      environment,
      command,
      trials: this.#states.map((state) => state.toTrial()),
      findings: this.#findings,
      ...(this.#plan.stop ? { stop: this.#plan.stop } : {}),
    };
  }
}
