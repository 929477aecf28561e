/** Turns the messages of one fork into the record of that fork; live as they arrive, and again from a journal. */
import { type ForkMessage, PROTOCOL_VERSION } from '../protocol/messages.js';
import type { BlackholeCost, Failure, Finding, Fork, Iteration } from '../result/model.js';
import { iterationProblem } from './check-iteration.js';

/** What the host saw of a fork from the outside. */
export interface ForkFrame {
  readonly index: number;
  readonly round: number;
  readonly position: number;
  readonly startedAt: string;
  readonly wallMs: number;
  readonly failure: Failure | null;
  /** Findings of the host about this fork. */
  readonly findings: readonly Finding[];
  readonly output: { readonly stdout: string; readonly stderr: string };
}

export class ForkRecorder {
  readonly #iterationsPlanned: number;
  readonly #warmup: Iteration[] = [];
  readonly #iterations: Iteration[] = [];
  readonly #findings: Finding[] = [];
  #startup: Fork['startup'] = { spawnToEntryMs: null, loadMs: null, setupMs: null, spawnToFirstInvocationMs: null };
  #runtime: Fork['runtime'] = null;
  #warm: Extract<ForkMessage, { type: 'warm' }> | null = null;
  #ready: Extract<ForkMessage, { type: 'ready' }> | null = null;
  #blackhole: BlackholeCost | null = null;
  #hello = false;
  #loaded = false;
  #failed: Extract<ForkMessage, { type: 'failed' }>['failure'] | null = null;
  #done = false;
  #problem: string | null = null;

  constructor(iterationsPlanned: number) {
    this.#iterationsPlanned = iterationsPlanned;
  }

  /** Takes the next message. One that does not fit is remembered as {@link problem}. */
  take(message: ForkMessage): void {
    if (this.#problem !== null) return;
    if (!this.#hello && message.type !== 'hello' && message.type !== 'failed') {
      this.#problem = `the first message was "${message.type}", not "hello"`;
      return;
    }
    if (this.#done) {
      this.#problem = `a message "${message.type}" came after "done"`;
      return;
    }
    switch (message.type) {
      case 'hello':
        this.#hello = true;
        if (message.protocol !== PROTOCOL_VERSION) {
          this.#problem = `it speaks protocol ${message.protocol}, this host ${PROTOCOL_VERSION}: two versions of tscope are installed`;
        }
        break;
      case 'runtime':
        this.#runtime = message.runtime;
        this.#startup = { ...this.#startup, spawnToEntryMs: message.spawnToEntryMs };
        break;
      case 'loaded':
        this.#loaded = true;
        this.#startup = { ...this.#startup, loadMs: message.loadMs };
        break;
      case 'ready':
        this.#ready = message;
        this.#startup = {
          ...this.#startup,
          setupMs: message.setupMs,
          spawnToFirstInvocationMs: message.spawnToFirstInvocationMs,
        };
        break;
      case 'warmup':
        this.#keep(this.#warmup, message.iteration, 'warm-up iteration');
        break;
      case 'warm':
        this.#warm = message;
        break;
      case 'iteration':
        this.#keep(this.#iterations, message.iteration, 'iteration');
        break;
      case 'blackhole':
        this.#blackhole = message.cost;
        break;
      case 'finding':
        this.#findings.push(message.finding);
        break;
      case 'failed':
        this.#failed = message.failure;
        break;
      case 'done':
        this.#done = true;
        // The clock as fitted over the whole fork is better than the one fitted at its start.
        if (this.#runtime) this.#runtime = { ...this.#runtime, clock: message.clock };
        if (this.#iterations.length < this.#iterationsPlanned) {
          this.#problem = `it said "done" after ${this.#iterations.length} of ${this.#iterationsPlanned} iterations`;
        }
        break;
      default:
        this.#problem = `a message of unknown type "${(message as { type: string }).type}"`;
    }
  }

  #keep(list: Iteration[], iteration: Iteration, what: string): void {
    const problem = iterationProblem(iteration);
    if (problem === null) list.push(iteration);
    else {
      this.#problem = `what it told of ${what} ${list.length + 1} cannot have been measured: ${problem}; does the file replace built-ins of JavaScript?`;
    }
  }

  /** Everything ran, teardown included. */
  get done(): boolean {
    return this.#done;
  }

  /** The user's file is loaded. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** The failure that the fork reported itself. */
  get failed(): Extract<ForkMessage, { type: 'failed' }>['failure'] | null {
    return this.#failed;
  }

  /** What did not fit the protocol; null while all is well. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Where the fork is, in words that complete "it ended ...". */
  get phase(): string {
    const measured = this.#iterations.length;
    if (this.#done) return 'after the measurement was complete';
    if (!this.#hello) return 'before it reported in';
    if (!this.#loaded) return 'while loading the file';
    if (!this.#ready) return 'in setup or the first iteration';
    if (!this.#warm) return 'in warm-up';
    if (measured < this.#iterationsPlanned)
      return `in measured iteration ${measured + 1} of ${this.#iterationsPlanned}`;
    return 'in teardown, after the last iteration';
  }

  /** What the fork said of built-ins that user code replaced, which may be why it ended; null when nothing. */
  get changedBuiltins(): string | null {
    return this.#findings.find(({ id }) => id === 'builtins-changed')?.message ?? null;
  }

  /** The measured iterations so far. */
  get measured(): readonly Iteration[] {
    return this.#iterations;
  }

  /** True when a measured iteration saw the clock jump. */
  get clockJumped(): boolean {
    return this.#iterations.some(({ clock }) => clock.discontinuity);
  }

  /** The record of the fork. */
  finish(frame: ForkFrame): Fork {
    return {
      index: frame.index,
      round: frame.round,
      position: frame.position,
      status: frame.failure ? 'failed' : 'ok',
      failure: frame.failure,
      startedAt: frame.startedAt,
      wallMs: frame.wallMs,
      startup: this.#startup,
      runtime: this.#runtime,
      warmup: this.#warmup,
      warmupEnd: this.#warm?.end ?? null,
      iterations: this.#iterations,
      resultKind: this.#ready?.resultKind ?? null,
      async: this.#ready?.async ?? null,
      linearity: this.#warm?.linearity ?? null,
      overhead: this.#warm ? { ...this.#warm.overhead, ...(this.#blackhole && { blackhole: this.#blackhole }) } : null,
      findings: [...this.#findings, ...frame.findings],
      output: frame.output,
    };
  }
}
