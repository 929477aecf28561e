// Which CPUs threads may run on. Functions that can be refused return 0 or an errno value; ENOTSUP where the
// platform cannot pin threads (macOS, Windows). Thread ids are kernel tids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tscope::cpu {

struct Thread {
  int tid = 0;
  std::string name;
  std::vector<int> cpus;
};

// A thread and the CPUs it was allowed before it was moved.
struct Moved {
  int tid = 0;
  std::vector<int> cpus;
};

// Kernel id of the calling thread; -1 where there is none.
int ThreadId();

// CPU the calling thread runs on at this moment; -1 when unknown.
int CurrentCpu();

// Mask of thread `tid`; 0 = the calling thread.
int GetAffinity(int tid, std::vector<int>* cpus);

// Restricts thread `tid` (0 = the calling thread). EINVAL: none of the CPUs exists or is allowed by the
// cpuset. The kernel drops the CPUs it cannot give from a mixed set without a word, so the mask is read back
// and EINVAL is returned (with the old mask restored) unless it is exactly what was asked for.
int SetAffinity(int tid, const std::vector<int>& cpus);

// Threads of process `pid` (0 = this one), by tid. A thread that ends while being looked at is left out.
int ListThreads(int pid, std::vector<Thread>* threads);

// Restricts every thread of process `pid` (0 = this one) that is not in `except`, again and again until two
// scans find the same threads, because a new thread inherits the mask of its creator, which may not have been
// moved yet. `moved` gets each thread's mask from before its first move. On an error what was moved stays
// moved and is in `moved`.
int MoveThreads(int pid, const std::vector<int>& cpus, const std::vector<int>& except,
                std::vector<Moved>* moved);

// Resources used by the calling thread since it started: involuntary and voluntary context switches, minor
// and major page faults, CPU time in ns, exact to the moment of the call. Two system calls, no allocation.
struct Usage {
  int64_t involuntary_switches = 0;
  int64_t voluntary_switches = 0;
  int64_t minor_faults = 0;
  int64_t major_faults = 0;
  int64_t cpu_ns = 0;
};
int ThreadUsage(Usage* usage);

}  // namespace tscope::cpu
