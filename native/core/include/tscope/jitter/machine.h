// Reads the machine's counters around a sampling thread. One file per platform; absent = not readable there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tscope/jitter/proc.h"

namespace tscope::jitter {

/// Cumulative counters at one moment.
struct Reading {
  std::optional<Switches> switches;
  std::optional<uint64_t> run_delay_ns;
  std::optional<uint64_t> interrupts;
  std::optional<uint64_t> softirqs;
  std::optional<Throttling> throttling;
  std::optional<uint64_t> steal_ns;
};

/// From any thread; opens files, so not from a sampling one.
class Machine {
 public:
  /// `cpu` may be kAnyCpu, `tid` 0: what belongs to them stays absent.
  Machine(int cpu, int64_t tid);
  Reading Read() const;

 private:
  int cpu_;
  int64_t tid_;
  std::vector<std::string> throttling_files_;
};

/// Context switches of the calling thread so far; absent where the system does not count per thread. One
/// system call.
std::optional<Switches> OwnSwitches();

/// Time per period kept from real-time threads, ns; 0 = none or unknown.
uint64_t RealTimePause();

/// Host CPU under this vCPU as the counter's auxiliary register tells; absent where the instruction is not
/// advertised.
std::optional<uint32_t> HostCpu();

}  // namespace tscope::jitter
