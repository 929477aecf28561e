/** What the fork's main thread and its measuring threads say to each other. */
import type { ForkPlan } from '../protocol/messages.js';
import type { Failure } from '../result/model.js';
import type { IterationOutcome } from './iteration.js';
import type { Canary, IterationRequest, Learned } from './performer.js';
import type { Checked } from './warm-checks.js';

/** What one thread is there for. */
export interface Role {
  /** Benchmark that it runs: the group's method, or the benchmark itself. */
  readonly benchmark: string;
  readonly group: string | null;
  /** Which copy of the group; 0 of 1 outside of groups. */
  readonly copy: number;
  readonly copies: number;
}

export interface ThreadData extends Role {
  readonly plan: ForkPlan;
  readonly index: number;
  readonly count: number;
  readonly shared: unknown;
  readonly cpu: number | null;
  readonly rendezvous: SharedArrayBuffer;
}

export type ThreadCommand =
  | { readonly type: 'iterate'; readonly request: IterationRequest }
  | { readonly type: 'check' }
  | { readonly type: 'canary' }
  | { readonly type: 'close' };

export type ThreadMessage =
  | { readonly type: 'ready'; readonly setupMs: number; readonly pinRefused: string | null }
  | { readonly type: 'outcome'; readonly outcome: IterationOutcome; readonly learned: Learned }
  | { readonly type: 'checked'; readonly checked: Checked }
  | { readonly type: 'canary'; readonly canary: Canary | null }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly failure: Pick<Failure, 'phase' | 'message' | 'stack'> };
