import { type Hints, type Refusal, refused } from '../native/outcome.js';

const HINTS: Hints = {
  ENOENT:
    'This machine has no such event: virtual machines often have no PMU. Software events (task-clock, page-faults, context-switches) and estimated cycles still work.',
  EACCES:
    'Not allowed: lower /proc/sys/kernel/perf_event_paranoid (1 for kernel counts, 2 for user counts), or run with CAP_PERFMON; in a container allow perf_event_open in its seccomp profile.',
  EPERM:
    'Not allowed: run with CAP_PERFMON, lower /proc/sys/kernel/perf_event_paranoid, or in a container allow perf_event_open in its seccomp profile.',
  EINVAL: 'The PMU has no room for this event beside the ones before it, or does not know it; ask for fewer events.',
  ENOTSUP: 'This PMU cannot count the event; ask for another.',
  EBUSY: 'Another tool has the PMU for itself; stop it (perf, a profiler), or try again later.',
  EMFILE: 'Too many files are open: each event takes one. Close groups, or raise `ulimit -n`.',
  ENODEV: 'This CPU cannot count the event; ask for another.',
  ENOSYS: 'This kernel has no perf_event_open; go on with times alone.',
  default: 'Go on without counters; times are not affected.',
};

/** A refusal by the system: `errno` as the addon returned it. */
export function refusalOf(errno: number, message: string): Refusal {
  return refused(errno, message, HINTS);
}
