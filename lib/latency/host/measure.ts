/** Measures a file: describes it, then runs each measurement with each set of params in forks of its own, one after the other. */
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { allowedCpus, machineFacts } from '../../cpu/index.js';
import { defaultCacheDir, type LoaderMode } from '../../loader/index.js';
import { PROTOCOL_VERSION } from '../../protocol/messages.js';
import type { Failure, Finding, Params } from '../../result/model.js';
import { captureEnvironment } from '../../runner/capture.js';
import { chooseCpus } from '../../runner/cpus.js';
import { failureOf } from '../../runner/ending.js';
import { type HostAffinity, leaveCpus } from '../../runner/leave-cpus.js';
import { UsageError } from '../../runner/usage-error.js';
import type { LatencyOptions } from '../../suite/latency.js';
import type { LatencyConfig } from '../../suite/latency-options.js';
import { show } from '../../suite/show.js';
import { didYouMean } from '../../suite/suggest.js';
import { readWholeRun } from '../../suite/whole-run.js';
import type { LatencyDescription, LatencyMessage } from '../messages.js';
import { LATENCY_VERSION, type LatencyData, type LatencyFork, type LatencyRun } from '../model.js';
import { type LatencyResult, resultOf } from '../result.js';
import { findingsOf } from '../verdict.js';
import { launchLatency } from './launch.js';

/** What to measure, and the world around it. */
export interface MeasureOptions {
  /** Path of the file, absolute or relative to `cwd`. */
  readonly file: string;
  /** Win over what the file declares. */
  readonly overrides?: LatencyOptions;
  /** Values that replace those of a param, as text. */
  readonly paramOverrides?: Readonly<Record<string, readonly string[]>>;
  /** Keeps measurements whose name it matches. */
  readonly only?: RegExp;
  /** Version written into results. Default: that of this package. */
  readonly toolVersion?: string;
  /** Node executable of the forks. Default: the one that runs this. */
  readonly nodeExecutable?: string;
  /** How TypeScript is loaded. Default `strip`. */
  readonly loader?: LoaderMode;
  /** Names of environment variables that forks keep beside the few they always get. */
  readonly keepEnv?: readonly string[];
  /** Working directory of the forks. */
  readonly cwd?: string;
  /** The host's environment, from which that of the forks is built. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop: what has been measured is returned. */
  readonly signal?: AbortSignal;
  /** Told what happens, between forks. */
  readonly onEvent?: (event: MeasureEvent) => void;
  /** Given each result once, as soon as all its forks are over (JLBH's result consumer). What it throws ends the measurement. */
  readonly onResult?: (result: LatencyResult) => void;
}

/** What happens while a latency file is measured. */
export type MeasureEvent =
  /** The file was read and nothing is measured yet: what is thrown now ends it. */
  | {
      readonly type: 'described';
      readonly measurements: readonly { readonly name: string; readonly probes: readonly string[] }[];
    }
  | {
      readonly type: 'fork';
      readonly name: string;
      readonly params: Params;
      readonly fork: number;
      readonly forks: number;
      readonly pid: number | null;
    }
  | {
      readonly type: 'running';
      readonly name: string;
      readonly run: number;
      readonly runs: number;
      readonly plannedNs: number;
      readonly events: number;
    }
  | { readonly type: 'run'; readonly name: string; readonly run: LatencyRun }
  | { readonly type: 'ended' };

/** Results of a file, or why it could not be measured. */
export type Measured =
  | { readonly ok: true; readonly results: readonly LatencyData[] }
  /** The file could not be loaded, or a definition is wrong; nothing was measured. */
  | { readonly ok: false; readonly failure: Failure; readonly output: string };

function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
}

const DESCRIBE_LIMIT_MS = 60_000;
const GRACE_MS = 3000;

/** Longest life of a fork, ms: far more than its plan, so that only something stuck meets it. */
export function forkLimitMs(config: LatencyConfig): number {
  const planMs = (1000 * config.events * config.runs) / config.ratePerSec;
  const drainMs = (config.runs * config.timeoutNs) / 1e6;
  return 120_000 + 20 * planMs + drainMs + config.pauseAfterWarmupMs;
}

type Common = Required<Pick<MeasureOptions, 'nodeExecutable' | 'keepEnv' | 'cwd' | 'env'>> & {
  readonly loader: { readonly cacheDir: string; readonly mode: LoaderMode };
  readonly file: string;
};

/**
 * Measures every latency definition that a file exports.
 *
 * @returns Results in order, partial ones included. Never rejects because of what the file does.
 * @throws UsageError for a file that is no path, for a name in `keepEnv` that forks never get, and for one in `paramOverrides` that is no param.
 */
export async function measureLatency(options: MeasureOptions): Promise<Measured> {
  if (typeof options?.file !== 'string' || options.file === '')
    throw new UsageError(`measureLatency: file: must be a path, not ${show(options?.file)}.`);
  const cwd = options.cwd ?? process.cwd();
  const kept = readWholeRun({ keepEnv: options.keepEnv });
  if ('problem' in kept) throw new UsageError(`measureLatency: keepEnv: ${kept.problem}`);
  const common: Common = {
    nodeExecutable: options.nodeExecutable ?? process.execPath,
    keepEnv: kept.options.keepEnv ?? [],
    cwd,
    env: options.env ?? process.env,
    loader: { cacheDir: defaultCacheDir(cwd), mode: options.loader ?? 'strip' },
    file: resolve(cwd, options.file),
  };
  if (!existsSync(common.file)) {
    const failure = { phase: 'load', message: 'no such file.', stack: null, fork: null, exitCode: null, signal: null };
    return { ok: false, failure, output: '' };
  }
  const described = await describe(options, common);
  if (!described.ok) return described;
  checkParams(options, described.measurements);
  const wanted = described.measurements.filter(({ name }) => options.only?.test(name) ?? true);
  options.onEvent?.({
    type: 'described',
    measurements: wanted.map(({ name, config: { probes } }) => ({ name, probes })),
  });
  const environment = captureEnvironment({ executable: common.nodeExecutable, flags: [] });
  const cpus = chooseCpus(allowedCpus(), machineFacts().isolatedCpus, 1);
  const host = wanted.some(({ config }) => config.pin) ? leaveCpus(cpus) : leaveCpus({ measured: null, helpers: null });
  const results: LatencyData[] = [];
  try {
    for (const { name, config, combinations } of wanted) {
      for (const params of combinations) {
        if (options.signal?.aborted) break;
        const createdAt = new Date().toISOString();
        const forks: LatencyFork[] = [];
        for (let index = 0; index < config.forks && !options.signal?.aborted; index++) {
          const fork = await runFork(options, common, { name, config, params, index, cpus, host });
          forks.push(fork);
          if (fork.status === 'failed') break;
        }
        const status = forks.some((f) => f.status === 'failed') ? 'failed' : options.signal?.aborted ? 'partial' : 'ok';
        const data: LatencyData = {
          format: 'tscope-latency',
          version: LATENCY_VERSION,
          createdAt,
          tool: { name: 'tscope', version: options.toolVersion ?? packageVersion() },
          environment,
          file: relative(cwd, common.file).replaceAll('\\', '/'),
          name,
          params,
          config,
          ...(common.keepEnv.length > 0 ? { keepEnv: common.keepEnv } : {}),
          status,
          forks,
        };
        results.push(data);
        options.onResult?.(resultOf(data));
      }
    }
  } finally {
    host.restore();
    options.onEvent?.({ type: 'ended' });
  }
  return { ok: true, results };
}

function checkParams(options: MeasureOptions, measurements: readonly LatencyDescription[]): void {
  const known = new Set(measurements.flatMap(({ combinations }) => combinations.flatMap(Object.keys)));
  for (const name of Object.keys(options.paramOverrides ?? {})) {
    if (known.has(name)) continue;
    const hint =
      known.size === 0 ? ' It has no params.' : didYouMean(name, known) || ` Known: ${[...known].join(', ')}.`;
    throw new UsageError(`${options.file}: no measurement has a param "${name}".${hint}`);
  }
}

async function describe(
  options: MeasureOptions,
  common: Common,
): Promise<
  { readonly ok: true; readonly measurements: readonly LatencyDescription[] } | Extract<Measured, { ok: false }>
> {
  let measurements: readonly LatencyDescription[] | null = null;
  let failed: Extract<LatencyMessage, { type: 'failed' }>['failure'] | null = null;
  const { loader, file } = common;
  const child = launchLatency({
    ...common,
    script: 'describe',
    nodeArgs: [],
    request: (token) => ({
      kind: 'latency-describe',
      protocol: PROTOCOL_VERSION,
      token,
      file,
      loader,
      overrides: options.overrides ?? {},
      paramOverrides: options.paramOverrides ?? {},
    }), // prettier-ignore
    onMessage(message) {
      if (message.type === 'described') measurements = message.measurements;
      if (message.type === 'failed') failed = message.failure;
    },
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, DESCRIBE_LIMIT_MS);
  const abort = () => child.kill('SIGKILL');
  options.signal?.addEventListener('abort', abort);
  const end = await child.ended;
  options.signal?.removeEventListener('abort', abort);
  clearTimeout(timer);
  const output = `${end.stdout}${end.stderr}`;
  if (measurements !== null) return { ok: true, measurements };
  const failure = failureOf(
    {
      end,
      done: false,
      failed,
      problem: end.problem,
      stderr: end.stderr,
      phase: 'while loading the file',
      stopped: late ? { why: 'timeout', afterMs: DESCRIBE_LIMIT_MS } : null,
    },
    null,
  )!; // prettier-ignore
  return { ok: false, failure, output };
}

interface ForkJob {
  readonly name: string;
  readonly config: LatencyConfig;
  readonly params: Params;
  readonly index: number;
  readonly cpus: ReturnType<typeof chooseCpus>;
  readonly host: HostAffinity;
}

async function runFork(options: MeasureOptions, common: Common, job: ForkJob): Promise<LatencyFork> {
  const { name, config, params, index, cpus, host } = job;
  const { loader, file } = common;
  const runs: LatencyRun[] = [];
  const findings: Finding[] = config.pin ? [...cpus.findings, ...host.findings] : [];
  let fork: Omit<LatencyFork, 'status' | 'failure' | 'runs' | 'findings' | 'output'> = {
    index,
    runtime: null,
    clock: null,
    driver: null,
    warmup: null,
    floor: null,
  }; // prettier-ignore
  let [phase, done, stopped] = ['before the first message', false, false];
  let failed: Extract<LatencyMessage, { type: 'failed' }>['failure'] | null = null;
  const onMessage = (message: LatencyMessage) => {
    if (message.type === 'runtime') {
      fork = { ...fork, runtime: message.runtime, clock: message.runtime.clock };
      phase = 'during setup or warm-up';
    }
    if (message.type === 'driver') fork = { ...fork, driver: message.driver };
    if (message.type === 'floor') fork = { ...fork, floor: message.floor };
    if (message.type === 'warm') fork = { ...fork, warmup: message.warmup };
    if (message.type === 'finding') findings.push(message.finding);
    if (message.type === 'running') {
      phase = `in run ${message.run}`;
      options.onEvent?.({ ...message, name, runs: config.runs });
    }
    if (message.type === 'run') {
      const run = { ...message.run, findings: findingsOf(message.run, config) };
      runs.push(run);
      phase = `after run ${run.run}`;
      options.onEvent?.({ type: 'run', name, run });
    }
    if (message.type === 'failed') failed = message.failure;
    if (message.type === 'done') {
      done = true;
      stopped = message.stopped;
      fork = { ...fork, clock: message.clock };
    }
    // Its control thread waits on stdin; nothing is left to control.
    if (message.type === 'done' || message.type === 'failed') child.stop();
  };
  const child = host.outside(() =>
    launchLatency({
      ...common,
      script: 'main',
      nodeArgs: config.nodeArgs,
      request: (token) => ({
        kind: 'latency',
        protocol: PROTOCOL_VERSION,
        token,
        file,
        name,
        params,
        config,
        loader,
        pinCpu: config.pin ? (cpus.measured?.[0] ?? null) : null,
        helperCpus: config.pin ? cpus.helpers : null,
      }), // prettier-ignore
      onMessage,
    }),
  );
  options.onEvent?.({ type: 'fork', name, params, fork: index, forks: config.forks, pid: child.pid });
  let killed: { why: 'timeout'; afterMs: number } | null = null;
  const timers: NodeJS.Timeout[] = [];
  const end = (afterMs: number) => {
    child.stop();
    timers.push(
      setTimeout(() => child.kill('SIGTERM'), afterMs),
      setTimeout(() => child.kill('SIGKILL'), afterMs + 2000),
    );
  };
  const limit = forkLimitMs(config);
  timers.push(
    setTimeout(
      () => {
        killed = { why: 'timeout', afterMs: limit };
        end(GRACE_MS);
      },
      Math.min(limit, 2 ** 31 - 1),
    ),
  );
  let aborted = false;
  const onAbort = () => {
    aborted = true;
    end(GRACE_MS);
  };
  options.signal?.addEventListener('abort', onAbort);
  const ended = await child.ended;
  options.signal?.removeEventListener('abort', onAbort);
  for (const timer of timers) clearTimeout(timer);
  const failure = failureOf(
    { end: ended, done, failed, problem: ended.problem, stopped: killed, phase, stderr: ended.stderr },
    index,
  );
  const output = { stdout: ended.stdout, stderr: ended.stderr };
  // Asked to stop and did, or had to be killed for it: not a failure of the task.
  if (aborted && failed === null) return { ...fork, status: 'partial', failure: null, runs, findings, output };
  const status = failure ? 'failed' : stopped ? 'partial' : 'ok';
  return { ...fork, status, failure, runs, findings, output };
}
