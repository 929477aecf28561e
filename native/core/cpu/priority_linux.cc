#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdlib>

#include "tscope/cpu/files.h"
#include "tscope/cpu/priority.h"

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

namespace tscope::cpu {

namespace {

int Number(Policy policy) {
  switch (policy) {
    case Policy::kBatch:
      return SCHED_BATCH;
    case Policy::kIdle:
      return SCHED_IDLE;
    case Policy::kFifo:
      return SCHED_FIFO;
    default:
      return SCHED_OTHER;
  }
}

Policy Named(int number) {
  switch (number & ~SCHED_RESET_ON_FORK) {
    case SCHED_OTHER:
      return Policy::kOther;
    case SCHED_BATCH:
      return Policy::kBatch;
    case SCHED_IDLE:
      return Policy::kIdle;
    case SCHED_FIFO:
      return Policy::kFifo;
    default:
      return Policy::kUnknown;
  }
}

int Schedule(int tid, int policy, int realtime) {
  sched_param param{};
  param.sched_priority = realtime;
  return sched_setscheduler(tid, policy, &param) == 0 ? 0 : errno;
}

int SetPolicy(int tid, const Priority& priority) {
  const bool fifo = priority.policy == Policy::kFifo;
  const int number = Number(priority.policy);
  if (fifo) return Schedule(tid, number | SCHED_RESET_ON_FORK, priority.realtime);
  // Taking "reset on fork" back needs a privilege that setting it did not; the flag does no harm without
  // FIFO.
  const int error = Schedule(tid, number, 0);
  return error == EPERM ? Schedule(tid, number | SCHED_RESET_ON_FORK, 0) : error;
}

int64_t NumberIn(const char* path) {
  std::string text;
  return DiskFiles("/").Text(path, &text) ? std::atoll(text.c_str()) : -1;
}

}  // namespace

int GetPriority(int tid, Priority* priority) {
  const int policy = sched_getscheduler(tid);
  if (policy < 0) return errno;
  sched_param param{};
  if (sched_getparam(tid, &param) != 0) return errno;
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, static_cast<id_t>(tid));
  if (nice == -1 && errno != 0) return errno;
  priority->policy = Named(policy);
  priority->realtime = param.sched_priority;
  priority->nice = nice;
  return 0;
}

int SetPriority(int tid, const Priority& priority) {
  Priority before;
  if (priority.policy == Policy::kUnknown) return EINVAL;
  if (const int error = GetPriority(tid, &before)) return error;
  if (const int error = SetPolicy(tid, priority)) return error;
  if (priority.nice == before.nice) return 0;
  if (setpriority(PRIO_PROCESS, static_cast<id_t>(tid), priority.nice) == 0) return 0;
  const int error = errno;
  SetPolicy(tid, before);
  return error;
}

void RealtimeLimit(int64_t* runtime_us, int64_t* period_us) {
  *runtime_us = NumberIn("proc/sys/kernel/sched_rt_runtime_us");
  *period_us = NumberIn("proc/sys/kernel/sched_rt_period_us");
}

int LockMemory(const LockOptions& options) {
  const int flags = MCL_CURRENT | (options.future ? MCL_FUTURE : 0) | (options.on_fault ? MCL_ONFAULT : 0);
  return mlockall(flags) == 0 ? 0 : errno;
}

int UnlockMemory() { return munlockall() == 0 ? 0 : errno; }

int GetTimerSlack(int64_t* ns) {
  const int slack = prctl(PR_GET_TIMERSLACK);
  if (slack < 0) return errno;
  *ns = slack;
  return 0;
}

int SetTimerSlack(int64_t ns) {
  return prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(ns)) == 0 ? 0 : errno;
}

}  // namespace tscope::cpu
#endif
