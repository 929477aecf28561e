/** CPUs and threads: where they may run, pinning and undoing it, what the machine is (`tscope/cpu`). */
export {
  affinityOf,
  allowedCpus,
  currentCpu,
  ensurePool,
  pinOthers,
  pinProcess,
  pinSelf,
  restore,
  type ThreadInfo,
  threadId,
  threads,
  usage,
} from './affinity.js';
export { type MachineFacts, machineFacts } from './environment.js';
export type { Outcome, Refusal } from './outcome.js';
