/** Runs the engine's own sequence under a fake machine, in the test's process. */
import { runFork } from '#lib/engine/fork.js';
import { type LoadedDefinition, pickSuite } from '#lib/engine/load.js';
import type { ForkPlan } from '#lib/protocol/messages.js';
import { type FakeMachine, fakeMachine, planOf } from './fake.js';

export interface InProcess {
  readonly machine: FakeMachine;
  readonly error: { readonly phase?: string; readonly message: string } | null;
}

export async function runInProcess(
  definition: (machine: FakeMachine) => LoadedDefinition,
  plan: Partial<ForkPlan> = {},
  machine: FakeMachine = fakeMachine(),
): Promise<InProcess> {
  try {
    await runFork({
      machine,
      plan: planOf(plan),
      load: async () => pickSuite({ kind: 'suite', name: 'S', definition: definition(machine) }),
      sinceSpawnMs: () => 0,
      onPinned: () => {},
      onReady: () => {},
    });
    return { machine, error: null };
  } catch (error) {
    return { machine, error: error as Error };
  }
}
