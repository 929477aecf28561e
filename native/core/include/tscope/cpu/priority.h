// Scheduling policy, memory locking and timer slack. Functions return 0 or an errno value; ENOTSUP off Linux.
#pragma once

#include <cstdint>

namespace tscope::cpu {

enum class Policy { kOther = 0, kBatch = 1, kIdle = 2, kFifo = 3, kUnknown = 4 };

struct Priority {
  Policy policy = Policy::kOther;
  int realtime = 0;  // 1..99 with kFifo, 0 otherwise
  int nice = 0;      // -20..19
};

// Of thread `tid`; 0 = the calling thread. `kUnknown` for a policy not listed here.
int GetPriority(int tid, Priority* priority);

// Sets policy and nice value of a thread. kFifo is set with "reset on fork", so that threads which it creates
// are not real-time as well: a compiler thread that runs at the same FIFO level waits for the loop that waits
// for its code. EPERM: RLIMIT_RTPRIO is too low (fifo); EACCES: RLIMIT_NICE is (nice below the present
// value). On an error nothing has changed.
int SetPriority(int tid, const Priority& priority);

// Microseconds of each period that real-time threads may use; -1, -1 when unknown. runtime < period means
// that a FIFO thread which never sleeps is stopped for the rest of each period once others want the CPU.
void RealtimeLimit(int64_t* runtime_us, int64_t* period_us);

struct LockOptions {
  bool future = false;   // also what is mapped from now on; later allocations then fail at the memlock limit
  bool on_fault = true;  // lock pages as they are touched, instead of bringing in every page now
};

// Keeps the process' memory from being paged out. ENOMEM: more than RLIMIT_MEMLOCK; EPERM: the limit is 0.
int LockMemory(const LockOptions& options);
int UnlockMemory();

// Slack of the calling thread's timers in ns; 0 restores the thread's default (50 us).
int GetTimerSlack(int64_t* ns);
int SetTimerSlack(int64_t ns);

}  // namespace tscope::cpu
