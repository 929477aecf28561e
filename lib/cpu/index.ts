/** CPUs and threads: where they may run, pinning and undoing it, what the machine is (`tscope/cpu`). */

export type { Outcome, Refusal } from '../native/outcome.js';
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
export { apply } from './apply.js';
export { type MachineFacts, machineFacts } from './environment.js';
export { busyCpus, busyShares } from './load.js';
export { type Plan, type PlannedThread, type PlanOptions, plan } from './plan.js';
export { currentPriority, lockMemory, type Priority, setPriority, timerSlack, unlockMemory } from './priority.js';
export { type Holder, lockDirectory, type Reservation, type ReserveOptions, reservations, reserve } from './reserve.js';
export { type CpuInfo, type Topology, topology } from './topology.js';
