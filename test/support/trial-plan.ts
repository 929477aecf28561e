import type { TrialPlan } from '#lib/runner/types.js';

/** What a fork is told of its trial, everything filled in: one short iteration, nothing beside it. */
export const FORK: TrialPlan['fork'] = {
  unit: 'ns',
  warmupIterations: 1,
  warmupTimeMs: 1,
  warmupMinMs: 1,
  warmupMaxMs: 2,
  iterations: 1,
  iterationTimeMs: 1,
  batchSize: 1,
  warmupBatchSize: 1,
  opsPerInvocation: 1,
  threads: 1,
  group: null,
  inflight: 1,
  timeoutMs: 10_000,
  opaque: false,
  gcBeforeIteration: false,
  syncIterations: true,
  pollute: [],
  polluteLast: [],
  keepChunks: false,
  canaries: false,
  linearityCheck: false,
};

type Named = Pick<TrialPlan, 'file' | 'suite' | 'benchmark'>;

/** A trial with everything but its names filled in: one fork in mode avgt. */
export function trialPlan({
  fork,
  ...changes
}: Named & Partial<Omit<TrialPlan, 'fork'>> & { readonly fork?: Partial<TrialPlan['fork']> }): TrialPlan {
  return {
    id: changes.benchmark,
    fileLabel: changes.file,
    params: {},
    mode: 'avgt',
    baseline: false,
    options: {},
    forks: 1,
    warmupForks: 0,
    forkTimeoutMs: 60_000,
    nodeArgs: [],
    nodeExecutable: process.execPath,
    descriptionFindings: [],
    ...changes,
    fork: { ...FORK, ...fork },
  };
}
