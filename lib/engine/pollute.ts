/**
 * Profile pollution (as JMH's bulk warm-up): other benchmarks of the suite run first in the same process, so that code
 * they share with the measured one (library functions, call sites in them) has seen their types too.
 */
import { ChunkRecorder } from './chunks.js';
import { Fixtures } from './fixtures.js';
import { type ForkContext, openSession } from './fork.js';
import { runIteration } from './iteration.js';
import type { LoadedSuite } from './load.js';
import { opsPerTurn } from './measure.js';
import { ChunkSizer } from './sizing.js';

/** Each of `names` gets a state of its own, all its fixtures, and two iterations of this length together, ms. */
const POLLUTE_MS = 200;

export async function pollute(context: ForkContext, suite: LoadedSuite, names: readonly string[]): Promise<void> {
  const { machine, plan } = context;
  for (const name of names) {
    if (name === plan.benchmark) continue;
    const { fn } = suite.benchmark(name);
    const own = { ...plan, benchmark: name };
    const fixtures = new Fixtures(suite.definition, own, machine.deadline);
    try {
      await fixtures.open(await fixtures.shared());
      const session = await openSession(machine, own, suite, fn, fixtures);
      const recorder = new ChunkRecorder();
      const size = new ChunkSizer();
      for (let index = 0; index < 2; index++) {
        await runIteration(
          machine,
          session,
          fixtures,
          recorder,
          {
            index,
            mode: plan.mode,
            unit: plan.unit,
            limitMs: POLLUTE_MS / 2,
            size,
            shots: plan.warmupBatchSize,
            opsPerTurn: opsPerTurn(plan),
            keepChunks: false,
            gcBefore: false,
            usualNs: null,
            counters: Object.keys(session.harness.counters),
          },
          () => {},
        );
      }
    } catch (error) {
      await fixtures.close().catch(() => {});
      throw error;
    }
    await fixtures.close();
  }
}
