import { allowedCpus } from '../cpu/affinity.js';
import { type Refusal, refused, unsupported } from '../cpu/outcome.js';
import { REFUSED_AT, type StartRefusal } from '../native/surface/thread.js';

/** What the system refused to a native thread, in words. `what` names the thread, `cpu` where it was to run (-1 = anywhere). */
export function startRefused(what: string, cpu: number, refusal: StartRefusal): Refusal {
  if (refusal.step === REFUSED_AT.unsupported) {
    return {
      ...unsupported(`${what}: pinning a thread or giving it a real-time priority`, process.platform),
      hint: 'Leave out `cpu` and `fifo`: the thread then runs wherever the system puts it.',
    };
  }
  if (refusal.step === REFUSED_AT.priority) {
    return refused(refusal.errno, `${what} with a real-time priority`, {
      default: 'Leave out `fifo`, or give the process CAP_SYS_NICE or an rtprio limit of 50 (`ulimit -r 50`).',
    });
  }
  if (refusal.step === REFUSED_AT.create) {
    return refused(refusal.errno, `${what}: new thread`, {
      default: 'The system has no room for another thread: raise the process or cgroup limit (`ulimit -u`, pids.max).',
    });
  }
  const allowed = allowedCpus();
  return refused(refusal.errno, `${what}: pinning`, {
    default: `CPU ${cpu} does not exist or this process may not use it; ${
      allowed ? `this thread may use ${allowed.join(', ')}` : 'look at /proc/self/status, Cpus_allowed_list'
    }.`,
  });
}
