/** The host's side of {@link run}; loaded by its first call. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeTrial } from '../analysis/complete.js';
import { DEFAULT_CONFIDENCE } from '../analysis/score.js';
import { keepResult } from '../history/index.js';
import type { Finding, RunResult } from '../result/model.js';
import { loadConfig } from '../runner/config.js';
import { labelOf } from '../runner/discover.js';
import type { RunEvent as HostEvent, TrialPlan } from '../runner/types.js';
import { show } from '../suite/show.js';
import type { Suite } from '../suite/types.js';
import { planSpending } from './budget.js';
import { explainCaptured, writeSuite } from './inline.js';
import { measureRun } from './measure.js';
import { type PlannedRun, type PlanSettings, planRun, runsDir } from './plan.js';
import { type Prepared, prepare } from './prepare.js';
import { paramTexts, readSettings, regexps } from './settings.js';
import { isAdaptive, stopRule, writtenName } from './stop-rule.js';
import type { RunEvent, RunInput, RunSettings, TrialName } from './types.js';

/** What advice never repeats here: there is no command line. */
const NO_FLAGS: ReadonlySet<string> = new Set();

const isSuite = (value: unknown): value is Suite => (value as Suite | null)?.kind === 'suite';

function inputPath(input: RunInput): string {
  if (typeof input === 'string' && !input.startsWith('file:')) return input;
  const url = new URL(input as string | URL);
  if (url.protocol !== 'file:') throw new TypeError(`run: ${url.href} is not a file; give a path or a file: URL.`);
  return fileURLToPath(url);
}

/** Inputs as paths; suites become files, whose labels are returned. */
function resolveInputs(what: unknown, cwd: string): { paths: string[]; inline: Set<string> } {
  const inline = new Set<string>();
  const paths = [what].flat().map((input: unknown) => {
    if (typeof input === 'string' || input instanceof URL) return inputPath(input);
    if (!isSuite(input)) {
      const hint =
        typeof input === 'function' ? '; a function needs a suite around it, or compare two with expectFaster()' : '';
      throw new TypeError(`run: expected a path, a URL or a suite, not ${show(input)}${hint}.`);
    }
    const file = writeSuite(input, cwd);
    inline.add(labelOf(file, cwd));
    return file;
  });
  return { paths, inline };
}

const nameOf = (trial: TrialPlan): TrialName => ({
  id: trial.id,
  file: trial.fileLabel,
  suite: trial.suite,
  benchmark: trial.benchmark,
  params: trial.params,
  mode: trial.mode,
});

function publicEvent(event: HostEvent, allow: ReadonlySet<string>): RunEvent | null {
  switch (event.type) {
    case 'fork-started':
    case 'fork-finished':
      return { ...event, trial: nameOf(event.trial) };
    case 'trial-finished':
      return { type: 'trial-finished', trial: completeTrial(event.trial, { allow, flags: NO_FLAGS }) };
    case 'warning':
      return allow.has(event.finding.id) ? null : { type: 'finding', finding: event.finding };
    case 'progress':
      return event;
  }
}

/** The run before this one; runs of a process follow one another. */
let previous: Promise<unknown> = Promise.resolve();

/** Waits for its turn, then for `action`. */
function inTurn<T>(action: () => Promise<T>): Promise<T> {
  const turn = previous.then(action, action);
  previous = turn.catch(() => {});
  return turn;
}

/** Measures; see {@link run} for what it throws. */
export async function execute(
  what: RunInput | readonly RunInput[],
  settings: RunSettings,
  onEvent: (event: RunEvent) => void,
): Promise<RunResult> {
  const { options, wholeRun } = readSettings(settings, 'run');
  if (process.env.TSCOPE_FORK !== undefined) {
    throw new Error(
      'run() was called inside a fork: the benchmark file, or a module that it imports, calls run() itself. Keep the suites in a file that only declares them.',
    );
  }
  const { cwd = process.cwd(), signal, order = 'random', failFast = false, keep = true, moveHost = true } = settings;
  const { strayReruns } = settings;
  if (strayReruns && settings.canaries === false) {
    throw new TypeError('run: strayReruns needs canaries: leave one of the two settings out.');
  }
  const { paths, inline } = resolveInputs(what, cwd);
  const only = regexps(settings.only, 'run, setting "only"');
  const exclude = regexps(settings.exclude, 'run, setting "exclude"');
  return inTurn(async () => {
    signal?.throwIfAborted();
    const config = await loadConfig(cwd, settings.config);
    const prepared = await prepare({
      inputs: paths,
      options,
      source: 'call',
      wholeRun,
      params: paramTexts(settings.params),
      only,
      exclude,
      config,
      env: process.env,
      cwd,
      node: settings.node,
      loader: settings.loader ?? 'strip',
      keepChunks: settings.keepChunks ?? false,
      canaries: settings.canaries ?? true,
      linearity: settings.linearity ?? true,
      names: { param: 'run, setting "params"', only: 'setting "only"', exclude: 'setting "exclude"' },
      ...(signal ? { signal } : {}),
    });
    const allow = new Set([...(config.allow ?? []), ...(settings.allow ?? [])]);
    const seed = settings.seed ?? config.seed;
    return measurePrepared(
      prepared,
      { cwd, seed, order, failFast, strayReruns, keep, moveHost, allow, inline, signal },
      onEvent,
    );
  });
}

interface Measuring {
  readonly cwd: string;
  readonly seed: number | undefined;
  readonly order: 'random' | 'sequential';
  readonly failFast: boolean;
  readonly strayReruns: number | undefined;
  readonly keep: boolean;
  readonly moveHost: boolean;
  readonly allow: ReadonlySet<string>;
  /** Labels of files that were written from suite objects. */
  readonly inline: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

/** Trials that a budget was spread over, with the finding that says how; as they are without one. */
async function spendBudget(
  prepared: Prepared,
  settings: PlanSettings,
  signal: AbortSignal,
  keep: boolean,
): Promise<{ readonly prepared: Prepared; readonly findings: readonly Finding[] }> {
  const { options, sources } = prepared.wholeRun;
  if (options.budgetMs === undefined || isAdaptive(prepared.trials)) return { prepared, findings: [] };
  const budget = {
    ms: options.budgetMs,
    name: writtenName('budgetMs', sources.budgetMs),
    confidence: DEFAULT_CONFIDENCE,
    now: () => performance.now(),
    say: () => {},
  };
  // A pilot is a run of its own; its events would look like those of this one.
  const deps = { onEvent: () => {}, signal, complete: () => ({ allow: new Set<string>(), flags: NO_FLAGS }) };
  const spent = await planSpending(prepared, settings, budget, deps);
  if (!keep && spent.pilot !== null) rmSync(join(runsDir(settings.cwd), spent.pilot), { recursive: true, force: true });
  if (spent.interrupted !== null) signal.throwIfAborted();
  return { prepared: spent.prepared, findings: [spent.finding] };
}

async function measurePrepared(
  asked: Prepared,
  { cwd, seed, order, failFast, strayReruns, keep, moveHost, allow, inline, signal }: Measuring,
  onEvent: (event: RunEvent) => void,
): Promise<RunResult> {
  const settings = { cwd, seed, order, failFast, strayReruns, command: [], source: 'call' } as const;
  const exit = new AbortController();
  const either = signal ? AbortSignal.any([signal, exit.signal]) : exit.signal;
  // The caller may end the process at any time; a fork must not outlive it.
  const onExit = () => exit.abort();
  process.on('exit', onExit);
  try {
    const { prepared, findings } = await spendBudget(asked, settings, either, keep);
    const stop = stopRule(prepared, { order, confidence: DEFAULT_CONFIDENCE });
    const planned = planRun(prepared, { ...settings, stop });
    return await measurePlanned(planned, { signal: either, findings, keep, moveHost, allow, inline }, onEvent);
  } finally {
    process.off('exit', onExit);
  }
}

async function measurePlanned(
  planned: PlannedRun,
  {
    signal,
    findings,
    keep,
    moveHost,
    allow,
    inline,
  }: Pick<Measuring, 'keep' | 'moveHost' | 'allow' | 'inline'> & {
    readonly signal: AbortSignal;
    /** From before the run; belong to the result. */
    readonly findings: readonly Finding[];
  },
  onEvent: (event: RunEvent) => void,
): Promise<RunResult> {
  const { id, runDir, trials, environment } = planned.plan;
  const forks = trials.reduce((sum, trial) => sum + trial.forks + trial.warmupForks, 0);
  onEvent({ type: 'planned', id, runDir, forks, trials: trials.map(nameOf), environment });
  const told = findings.filter((finding) => !allow.has(finding.id));
  for (const finding of told) onEvent({ type: 'finding', finding });
  try {
    const measured = await measureRun(planned, {
      onEvent(event) {
        const shown = publicEvent(event, allow);
        if (shown) onEvent(shown);
      },
      signal,
      moveHost,
      complete: () => ({ allow, flags: NO_FLAGS }),
    });
    const result = explainCaptured({ ...measured, findings: [...told, ...measured.findings] }, inline);
    return keep ? store(result, runDir) : result;
  } finally {
    if (!keep) rmSync(runDir, { recursive: true, force: true });
  }
}

/** Writes the result beside the journal; when that fails, the result itself says so. */
function store(result: RunResult, runDir: string): RunResult {
  const file = join(runDir, 'result.json');
  try {
    keepResult(runDir, result);
    return result;
  } catch (error) {
    const message = `${file} could not be written (${(error as Error).message}); the data are in the journal beside it.`;
    return { ...result, findings: [...result.findings, { id: 'result-not-written', severity: 'error', message }] };
  }
}
