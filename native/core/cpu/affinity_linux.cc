#ifdef __linux__
#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tscope/cpu/affinity.h"
#include "tscope/cpu/cpulist.h"

namespace tscope::cpu {

namespace {

// A kernel CPU mask of kMaxCpus bits (1 KiB), which every kernel accepts.
struct Mask {
  cpu_set_t bits[kMaxCpus / CPU_SETSIZE];
  Mask() { CPU_ZERO_S(sizeof bits, bits); }
};

int Get(int tid, Mask* mask) {
  return sched_getaffinity(tid, sizeof mask->bits, mask->bits) == 0 ? 0 : errno;
}
int Set(int tid, const Mask& mask) {
  return sched_setaffinity(tid, sizeof mask.bits, mask.bits) == 0 ? 0 : errno;
}
bool Same(const Mask& a, const Mask& b) { return CPU_EQUAL_S(sizeof a.bits, a.bits, b.bits); }

bool ToMask(const std::vector<int>& cpus, Mask* mask) {
  for (int cpu : cpus) {
    if (cpu < 0 || cpu >= kMaxCpus) return false;
    CPU_SET_S(cpu, sizeof mask->bits, mask->bits);
  }
  return !cpus.empty();
}

std::vector<int> ToList(const Mask& mask) {
  std::vector<int> cpus;
  int left = CPU_COUNT_S(sizeof mask.bits, mask.bits);
  for (int cpu = 0; left > 0; cpu++) {
    if (!CPU_ISSET_S(cpu, sizeof mask.bits, mask.bits)) continue;
    cpus.push_back(cpu);
    left--;
  }
  return cpus;
}

std::string TaskPath(int pid, const char* rest) {
  return "/proc/" + (pid == 0 ? std::string("self") : std::to_string(pid)) + "/task" + rest;
}

int TaskIds(int pid, std::vector<int>* tids) {
  std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(TaskPath(pid, "").c_str()), closedir);
  if (!dir) return errno == ENOENT ? ESRCH : errno;
  tids->clear();
  while (const dirent* entry = readdir(dir.get())) {
    const int tid = std::atoi(entry->d_name);
    if (tid > 0) tids->push_back(tid);
  }
  std::sort(tids->begin(), tids->end());
  return 0;
}

std::string TaskName(int pid, int tid) {
  const std::string path = TaskPath(pid, ("/" + std::to_string(tid) + "/comm").c_str());
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  char text[64] = "";
  const size_t n = file ? std::fread(text, 1, sizeof text, file.get()) : 0;
  std::string name(text, n);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

}  // namespace

int ThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

int CurrentCpu() { return sched_getcpu(); }

int GetAffinity(int tid, std::vector<int>* cpus) {
  Mask mask;
  if (const int error = Get(tid, &mask)) return error;
  *cpus = ToList(mask);
  return 0;
}

int SetAffinity(int tid, const std::vector<int>& cpus) {
  Mask wanted;
  Mask before;
  Mask after;
  if (!ToMask(cpus, &wanted)) return EINVAL;
  if (const int error = Get(tid, &before)) return error;
  if (const int error = Set(tid, wanted)) return error;
  if (const int error = Get(tid, &after)) return error;
  if (Same(after, wanted)) return 0;
  Set(tid, before);
  return EINVAL;
}

int ListThreads(int pid, std::vector<Thread>* threads) {
  std::vector<int> tids;
  if (const int error = TaskIds(pid, &tids)) return error;
  threads->clear();
  for (int tid : tids) {
    Thread thread;
    thread.tid = tid;
    if (GetAffinity(tid, &thread.cpus) != 0) continue;
    thread.name = TaskName(pid, tid);
    threads->push_back(std::move(thread));
  }
  return 0;
}

int MoveThreads(int pid, const std::vector<int>& cpus, const std::vector<int>& except,
                std::vector<Moved>* moved) {
  // Each round moves what it finds; a process that keeps making threads faster than this gives EAGAIN.
  constexpr int kRounds = 100;
  Mask wanted;
  if (!ToMask(cpus, &wanted)) return EINVAL;
  std::vector<int> previous;
  for (int round = 0; round < kRounds; round++) {
    std::vector<int> tids;
    if (const int error = TaskIds(pid, &tids)) return error;
    bool changed = false;
    for (int tid : tids) {
      if (std::find(except.begin(), except.end(), tid) != except.end()) continue;
      Mask now;
      int error = Get(tid, &now);
      if (error == 0 && !Same(now, wanted)) {
        error = SetAffinity(tid, cpus);
        const bool known =
            std::any_of(moved->begin(), moved->end(), [&](const Moved& m) { return m.tid == tid; });
        if (error == 0 && !known) moved->push_back({tid, ToList(now)});
        if (error == 0) changed = true;
      }
      if (error != 0 && error != ESRCH) return error;  // ESRCH: it ended meanwhile
    }
    if (!changed && tids == previous) return 0;
    previous = std::move(tids);
  }
  return EAGAIN;
}

int ThreadUsage(Usage* usage) {
  rusage r;
  if (getrusage(RUSAGE_THREAD, &r) != 0) return errno;
  usage->involuntary_switches = r.ru_nivcsw;
  usage->voluntary_switches = r.ru_nvcsw;
  usage->minor_faults = r.ru_minflt;
  usage->major_faults = r.ru_majflt;
  // Not the rusage's own times: the kernel brings those up to date at its tick only, up to 4 ms late.
  timespec cpu;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) != 0) return errno;
  usage->cpu_ns = static_cast<int64_t>(cpu.tv_sec) * 1000000000 + cpu.tv_nsec;
  return 0;
}

}  // namespace tscope::cpu
#endif
