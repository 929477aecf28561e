/** What the host and a latency fork say to each other; framed as in lib/protocol/framing. */
import type { LoaderPlan } from '../protocol/messages.js';
import type { ClockInfo, Failure, Finding, ForkRuntime, Params } from '../result/model.js';
import type { LatencyOptions } from '../suite/latency.js';
import type { LatencyConfig } from '../suite/latency-options.js';
import type { DriverInfo, JitterSummary, LatencyRun, WarmupInfo } from './model.js';

/** Load a file and say which measurements it holds, checked and resolved. */
export interface LatencyDescribe {
  readonly kind: 'latency-describe';
  readonly protocol: number;
  readonly token: string;
  /** Absolute path. */
  readonly file: string;
  readonly overrides: LatencyOptions;
  readonly paramOverrides: Readonly<Record<string, readonly string[]>>;
  readonly loader: LoaderPlan;
}

/** Measure one of them with one set of params. The host closes stdin to end the run early. */
export interface LatencyPlan {
  readonly kind: 'latency';
  readonly protocol: number;
  readonly token: string;
  readonly file: string;
  readonly name: string;
  readonly params: Params;
  readonly config: LatencyConfig;
  /** CPU the measuring thread is pinned to; null = no pinning. */
  readonly pinCpu: number | null;
  /** CPUs for every other thread; null = leave them. */
  readonly helperCpus: readonly number[] | null;
  readonly loader: LoaderPlan;
}

export interface LatencyDescription {
  readonly name: string;
  readonly config: LatencyConfig;
  readonly combinations: readonly Params[];
}

/** A run as the fork sends it: findings are the host's work. */
export type RawRun = Omit<LatencyRun, 'findings'>;

export type LatencyMessage =
  | { readonly type: 'hello'; readonly protocol: number; readonly pid: number }
  | { readonly type: 'described'; readonly measurements: readonly LatencyDescription[] }
  | { readonly type: 'runtime'; readonly runtime: ForkRuntime }
  | { readonly type: 'driver'; readonly driver: DriverInfo }
  | { readonly type: 'floor'; readonly floor: JitterSummary }
  | { readonly type: 'warm'; readonly warmup: WarmupInfo }
  | { readonly type: 'running'; readonly run: number; readonly plannedNs: number; readonly events: number }
  | { readonly type: 'run'; readonly run: RawRun }
  | { readonly type: 'finding'; readonly finding: Finding }
  /** A failure; everything measured before it has been sent. */
  | { readonly type: 'failed'; readonly failure: Pick<Failure, 'phase' | 'message' | 'stack'> }
  | { readonly type: 'done'; readonly clock: ClockInfo; readonly stopped: boolean };
