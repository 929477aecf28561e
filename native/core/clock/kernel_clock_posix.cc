#if !defined(_WIN32)
#include <sched.h>
#include <time.h>

#include "tscope/clock/kernel_clock.h"

namespace tscope::clock {

namespace {
int64_t ReadNs(clockid_t id) {
  timespec t;
  clock_gettime(id, &t);
  return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}
}  // namespace

#if defined(CLOCK_MONOTONIC_RAW)
int64_t KernelNs() { return ReadNs(CLOCK_MONOTONIC_RAW); }
const char* KernelClockName() { return "monotonic-raw"; }
#else
int64_t KernelNs() { return ReadNs(CLOCK_MONOTONIC); }
const char* KernelClockName() { return "monotonic"; }
#endif

int64_t WallNs() { return ReadNs(CLOCK_REALTIME); }

int CurrentCpu() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

void SleepNs(int64_t ns) {
  if (ns <= 0) return;
  timespec t{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  nanosleep(&t, nullptr);
}

}  // namespace tscope::clock
#endif
