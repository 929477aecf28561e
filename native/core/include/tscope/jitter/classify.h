// Which cause took the time: arithmetic on what a window of the sampler and the machine's counters say. Pure.
//
// A single gap seldom names its cause; totals per window do. What the sampling thread itself noticed comes
// first (its context-switch counters or the vCPU's host CPU changed across the gap), then what the machine's
// counters can explain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tscope::jitter {

enum class Cause { kScheduler, kInterrupt, kThrottling, kSteal, kRealTimeThrottle, kVcpuMoved, kUnexplained };
constexpr int kCauses = 7;

/// What the sampling thread noticed about a gap.
enum class Evidence {
  /// Long enough to look (kProbeNs), and nothing changed.
  kNothing,
  /// Too short to spend a system call on.
  kNotProbed,
  /// The thread's context-switch counters moved.
  kSwitched,
  /// As kSwitched, under a real-time policy, with the length of a real-time throttle.
  kRealTimeThrottle,
  /// The host CPU under the vCPU changed.
  kVcpuMoved,
};
constexpr int kEvidences = 5;

struct Tally {
  uint64_t gaps = 0;
  uint64_t lost_ns = 0;
};
using GapTallies = std::array<Tally, kEvidences>;
using CauseTallies = std::array<Tally, kCauses>;

/// How far the machine's counters moved in a window; absent = cannot be read here.
struct WindowCounters {
  std::optional<uint64_t> interrupts;
  std::optional<uint64_t> softirqs;
  std::optional<uint64_t> throttled;
  std::optional<uint64_t> throttled_ns;
  std::optional<uint64_t> steal_ns;
  /// Time the thread was runnable but waiting. Explains late wake-ups of a sleeping sampler.
  std::optional<uint64_t> run_delay_ns;
};

/// What the thread noticed, from the facts around one gap.
struct GapFacts {
  bool probed;
  bool switched;
  /// The switch was involuntary. A stopped process is switched out voluntarily, a throttled thread is not.
  bool preempted;
  bool vcpu_moved;
  bool fifo;
  uint64_t len_ns;
  /// Time per period that the kernel keeps from real-time threads; 0 = no such limit.
  uint64_t rt_pause_ns;
};
Evidence EvidenceOf(const GapFacts& facts);

/// Is `len_ns` a whole multiple of the pause, within 10 %?
bool IsRealTimePause(uint64_t len_ns, uint64_t rt_pause_ns);

/// Hands the gaps of one window after the other to causes. Keeps what steal and throttling could still
/// explain for one more window: both counters move before the gap they belong to is seen.
class Attributor {
 public:
  explicit Attributor(bool sleeping) : sleeping_(sleeping) {}
  void Add(const GapTallies& gaps, const WindowCounters& counters);
  const CauseTallies& causes() const { return causes_; }

 private:
  bool sleeping_;
  uint64_t spare_throttled_ns_ = 0;
  uint64_t spare_steal_ns_ = 0;
  CauseTallies causes_{};
};

}  // namespace tscope::jitter
