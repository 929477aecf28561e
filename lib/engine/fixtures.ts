/**
 * The suite's fixtures around one thread's work. A fixture whose setup completed gets its teardown exactly once, also
 * after a failure in between; a fixture whose setup failed does not.
 */
import { isThenable } from '../native/thenable.js';
import type { Params } from '../result/model.js';
import { withTimer } from './deadline.js';
import { describeThrown, PhaseError } from './failure.js';
import type { LoadedDefinition } from './load.js';
import { DeadlineError, type Machine } from './types.js';

export type FixtureName = 'shared' | 'setup' | 'inputs' | 'setupIteration' | 'teardownIteration' | 'teardown';

export class Fixtures {
  readonly #definition: LoadedDefinition;
  readonly #suite: string;
  readonly #params: Params;
  readonly #timeoutMs: number;
  readonly #deadline: Machine['deadline'];
  state: unknown;
  inputs: readonly unknown[] | null = null;
  #trialOpen = false;
  #iterationOpen = false;

  constructor(
    definition: LoadedDefinition,
    plan: { readonly suite: string; readonly params: Params; readonly timeoutMs: number },
    deadline: Machine['deadline'],
  ) {
    this.#definition = definition;
    this.#suite = plan.suite;
    this.#params = plan.params;
    this.#timeoutMs = plan.timeoutMs;
    this.#deadline = deadline;
  }

  /** Runs one fixture function under the time limit; failures carry suite and fixture. */
  async #run<T>(phase: FixtureName, call: () => T): Promise<Awaited<T>> {
    try {
      const result = this.#deadline(this.#timeoutMs, call);
      return isThenable(result) ? ((await withTimer(this.#timeoutMs, result)) as Awaited<T>) : (result as Awaited<T>);
    } catch (error) {
      if (error instanceof DeadlineError) {
        const message = `${phase} of suite "${this.#suite}" ${error.message}; raise timeout or end it earlier`;
        throw new PhaseError('timeout', message);
      }
      throw new PhaseError(phase, `${phase} of suite "${this.#suite}" failed: ${describeThrown(error)}`, error);
    }
  }

  /** `shared` (once per fork). */
  async shared(): Promise<unknown> {
    const { shared } = this.#definition;
    return shared ? this.#run('shared', () => shared(this.#params)) : undefined;
  }

  /** `setup`, then `inputs`: once per thread. Without setup, the params are the state. */
  async open(shared: unknown): Promise<void> {
    const { setup, inputs } = this.#definition;
    this.state = setup ? await this.#run('setup', () => setup(this.#params, shared)) : { ...this.#params };
    this.#trialOpen = true;
    if (!inputs) return;
    const prepared = await this.#run('inputs', () => inputs(this.#params, this.state));
    const where = `inputs of suite "${this.#suite}"`;
    if (!Array.isArray(prepared) && !ArrayBuffer.isView(prepared)) {
      throw new PhaseError(
        'inputs',
        `${where} must return an array, not ${prepared === null ? 'null' : typeof prepared}`,
      );
    }
    if ((prepared as readonly unknown[]).length === 0) {
      throw new PhaseError('inputs', `${where} returned an empty array; it needs at least one input`);
    }
    this.inputs = prepared as readonly unknown[];
  }

  async beginIteration(): Promise<void> {
    const { setupIteration } = this.#definition;
    if (setupIteration) await this.#run('setupIteration', () => setupIteration(this.state, this.#params));
    this.#iterationOpen = true;
  }

  async endIteration(): Promise<void> {
    const { teardownIteration } = this.#definition;
    if (!this.#iterationOpen) return;
    this.#iterationOpen = false;
    if (teardownIteration) await this.#run('teardownIteration', () => teardownIteration(this.state, this.#params));
  }

  /** Ends what is open, inner level first. The first failure is thrown after everything was tried. */
  async close(): Promise<void> {
    const { teardown } = this.#definition;
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.endIteration();
    } catch (error) {
      failure = { error };
    }
    if (this.#trialOpen) {
      this.#trialOpen = false;
      try {
        if (teardown) await this.#run('teardown', () => teardown(this.state, this.#params));
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }
}
