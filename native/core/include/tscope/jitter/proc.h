// What the kernel's text files say about a CPU or a thread: parsing only, pure. Absent = the text does not
// hold it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tscope::jitter {

/// Sum of the column of `cpu` in /proc/interrupts or /proc/softirqs. Rows without one number per CPU (ERR,
/// MIS) are skipped; columns are found by name, since offline CPUs have none.
std::optional<uint64_t> ColumnSum(const std::string& text, int cpu);

/// Steal time of `cpu` in /proc/stat, in clock ticks (USER_HZ).
std::optional<uint64_t> StealTicks(const std::string& text, int cpu);

struct Switches {
  uint64_t voluntary = 0;
  uint64_t involuntary = 0;
};
/// Context switches in /proc/<pid>/task/<tid>/status.
std::optional<Switches> SwitchesOf(const std::string& text);

/// Time runnable but waiting, ns: second number of /proc/<pid>/task/<tid>/schedstat.
std::optional<uint64_t> RunDelayNs(const std::string& text);

struct Throttling {
  uint64_t times = 0;
  uint64_t ns = 0;
};
/// nr_throttled and throttled time of a cgroup's cpu.stat, v1 (ns) or v2 (us).
std::optional<Throttling> ThrottlingOf(const std::string& text);

/// cpu.stat files that may hold the throttling of a process with this /proc/self/cgroup: its own group's and
/// every ancestor's, v2 and v1, in the usual mount points. Some of them do not exist.
std::vector<std::string> ThrottlingFiles(const std::string& self_cgroup);

/// Time per period kept from real-time threads, from the texts of sched_rt_period_us and sched_rt_runtime_us;
/// 0 = none.
uint64_t RealTimePauseNs(const std::string& period_us, const std::string& runtime_us);

}  // namespace tscope::jitter
