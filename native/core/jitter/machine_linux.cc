#if defined(__linux__)

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tscope/jitter/machine.h"
#include "tscope/thread/thread.h"

namespace tscope::jitter {
namespace {

std::string Text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

}  // namespace

Machine::Machine(int cpu, int64_t tid) : cpu_(cpu), tid_(tid) {
  for (const std::string& file : ThrottlingFiles(Text("/proc/self/cgroup"))) {
    if (ThrottlingOf(Text(file))) throttling_files_.push_back(file);
  }
}

Reading Machine::Read() const {
  Reading now;
  if (tid_ != 0) {
    const std::string task = "/proc/self/task/" + std::to_string(tid_);
    now.switches = SwitchesOf(Text(task + "/status"));
    now.run_delay_ns = RunDelayNs(Text(task + "/schedstat"));
  }
  for (const std::string& file : throttling_files_) {
    const auto one = ThrottlingOf(Text(file));
    if (!one) continue;
    Throttling sum = now.throttling.value_or(Throttling{});
    sum.times += one->times;
    sum.ns += one->ns;
    now.throttling = sum;
  }
  if (cpu_ != thread::kAnyCpu) {
    now.interrupts = ColumnSum(Text("/proc/interrupts"), cpu_);
    now.softirqs = ColumnSum(Text("/proc/softirqs"), cpu_);
    if (const auto ticks = StealTicks(Text("/proc/stat"), cpu_)) {
      now.steal_ns = *ticks * (1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
    }
  }
  return now;
}

std::optional<Switches> OwnSwitches() {
  rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return std::nullopt;
  return Switches{static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
}

uint64_t RealTimePause() {
  return RealTimePauseNs(Text("/proc/sys/kernel/sched_rt_period_us"),
                         Text("/proc/sys/kernel/sched_rt_runtime_us"));
}

}  // namespace tscope::jitter

#endif
