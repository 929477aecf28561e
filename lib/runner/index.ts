/** The host side of a run: describing files, ordering forks, running them, keeping what they say. */

export { claimCpus } from './claim-cpus.js';
export { type CpuChoice, chooseCpus } from './cpus.js';
export {
  type DescribeDeps,
  type DescribeOptions,
  type Description,
  describeFile,
} from './describe.js';
export { type Launch, type Launched, type LaunchRequest, localLauncher, type ProcessEnd } from './launch.js';
export { type HostAffinity, leaveCpus } from './leave-cpus.js';
export { plannedMs } from './progress.js';
export { type HostDeps, resumeRun, startRun } from './resume.js';
export { type RunDeps, runPlan } from './run.js';
export { RunDirError } from './run-dir-error.js';
export { type Slot, schedule } from './schedule.js';
export { type Clock, type CpuPlan, type RunEvent, type RunPlan, systemClock, type TrialPlan } from './types.js';
