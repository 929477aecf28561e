// The jitter sampler: a native thread that finds the gaps in its own running time, and an observer thread
// beside it that reads the machine's counters once per window and names causes.
//
// Two kinds. kSpin reads the tick counter as fast as it can: two reads further apart than a threshold mean
// that the CPU was taken away; this is what a busy thread loses. kSleep sleeps a fixed interval and measures
// how late it wakes, less the least lateness ever seen (the question of jHiccup): this is what an idle thread
// waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tscope/histogram/recorder.h"
#include "tscope/jitter/classify.h"
#include "tscope/jitter/worst.h"
#include "tscope/thread/thread.h"
#include "tscope/thread/time_base.h"

namespace tscope::jitter {

enum class Kind { kSpin, kSleep };

struct Config {
  Kind kind = Kind::kSpin;
  /// CPU to pin to; thread::kAnyCpu = none: no counters of a CPU, so fewer causes.
  int cpu = thread::kAnyCpu;
  /// SCHED_FIFO for the sampling thread.
  bool fifo = false;
  /// Ends by itself after this time; at most kMaxDurationNs.
  uint64_t duration_ns = 0;
  /// Shortest gap that counts; 0 = from the rehearsal: spin max(200 ns, 8 x median turn), sleep max(50 us, 8
  /// x what the median wake-up is later than the earliest). kSpin: raised to two median turns if below.
  uint64_t threshold_ns = 0;
  /// Gaps kept, the longest ones. At least 1.
  uint32_t capacity = 65'536;
  /// kSleep only: time between wake-ups.
  uint64_t interval_ns = 1'000'000;
  thread::TimeBase time;
};
constexpr uint64_t kMaxDurationNs = uint64_t{86'400} * 1'000'000'000;
/// Gaps from this length on are worth a system call (about 1 us) to see whether the thread was switched out.
constexpr uint64_t kProbeNs = 10'000;
constexpr uint64_t kWindowNs = 100'000'000;

/// Movement of the machine's counters over the whole run; absent = not readable here.
struct Totals {
  std::optional<uint64_t> voluntary, involuntary, run_delay_ns;
  std::optional<uint64_t> interrupts, softirqs;
  std::optional<uint64_t> throttled, throttled_ns;
  std::optional<uint64_t> steal_ns;
  std::optional<uint64_t> vcpu_moves;
};

struct Result {
  /// The longest gaps, in order of time; ticks as the clock's source counts them, base not subtracted.
  std::vector<Gap> gaps;
  uint64_t dropped = 0;
  /// Length of every gap, ns, whether kept in `gaps` or not. kSleep: of every wake-up's lateness, with the
  /// wake-ups that a long lateness swallowed filled in (length - interval, - 2 intervals, ...).
  histogram::Snapshot histogram;
  uint64_t gap_count = 0;
  uint64_t lost_ns = 0;
  /// Time lost in each second since the start.
  std::vector<double> lost_per_second_ns;
  /// Ticks at the first and the last read.
  uint64_t start = 0;
  uint64_t end = 0;
  /// Wall clock at `start`, ns since 1970.
  int64_t wall_start_ns = 0;
  /// Turns of the loop (kSpin) or wake-ups (kSleep).
  uint64_t turns = 0;
  /// Of the rehearsal: kSpin time of a turn, kSleep lateness of a wake-up beyond the interval asked for; ns.
  double loop_min_ns = 0;
  double loop_median_ns = 0;
  uint64_t threshold_ns = 0;
  /// Time the sampler spent on handling gaps; a gap inside that is shorter than the handling can hide.
  uint64_t blind_ns = 0;
  bool stopped = false;
  CauseTallies causes{};
  Totals totals;
  uint64_t windows = 0;

  /// Wall clock at `tick`, ms since 1970, if nobody set it during the run.
  double WallMs(uint64_t tick, const thread::TimeBase& time) const {
    return static_cast<double>(wall_start_ns) / 1e6 + time.ToNs(tick - start) / 1e6;
  }
};

/// Why a sampler did not start.
struct StartFailure {
  bool busy = false;
  thread::Refusal refusal;
};

class Sampler {
 public:
  /// Starts both threads. `on_done` is called once, from the observer thread, when the result is complete; it
  /// must not block and not destroy the sampler. nullptr and `failure` filled in when the system refuses.
  static std::unique_ptr<Sampler> Start(const Config& config, std::function<void()> on_done,
                                        StartFailure* failure);
  /// Stops and joins.
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Returns at once; the result follows within one turn (kSpin, 1,024 reads) or interval (kSleep).
  void RequestStop();
  /// Waits for both threads to end.
  void Join();
  /// After on_done or Join().
  const Result& result() const;

 private:
  struct Run;
  explicit Sampler(std::unique_ptr<Run> run);
  std::unique_ptr<Run> run_;
};

}  // namespace tscope::jitter
