// The sampling thread.
#include <algorithm>

#include "handler.h"
#include "tscope/clock/counter.h"
#include "tscope/clock/kernel_clock.h"

namespace tscope::jitter {
namespace {

// Two types instead of one branch: the loop's turn is the resolution of the sampler.
struct ReadCounterTick {
  uint64_t operator()() const { return clock::ReadCounter(); }
};
struct ReadKernelTick {
  uint64_t operator()() const { return static_cast<uint64_t>(clock::KernelNs()); }
};

constexpr uint32_t kTurnsPerCheck = 1024;

uint64_t Median(std::vector<uint64_t>& values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Settles the threshold, result in ticks. Under two turns of a spinning loop an ordinary turn would count as
/// a gap.
uint64_t Threshold(const Config& config, Samples& samples, double least_ns, double usual_ns) {
  const double asked =
      config.threshold_ns > 0 ? static_cast<double>(config.threshold_ns) : std::max(least_ns, 8 * usual_ns);
  const double settled = config.kind == Kind::kSpin ? std::max(asked, 2 * usual_ns) : asked;
  samples.threshold_ns = static_cast<uint64_t>(settled + 0.5);
  return static_cast<uint64_t>(settled / config.time.ns_per_tick);
}

template <class Read>
class Loops {
 public:
  Loops(const Config& config, Samples& samples, LiveTallies& live, const std::atomic<bool>& stop)
      : config_(config), samples_(samples), stop_(stop), handler_(config, &samples, &live, Read()) {}

  void Rehearse() {
    if (config_.kind == Kind::kSpin) {
      RehearseSpin();
    } else {
      RehearseSleep();
    }
  }

  void Run() {
    handler_.Calibrate(threshold_, usual_);
    samples_.wall_start_ns = clock::WallNs();
    samples_.start = read_();
    handler_.StartAt(samples_.start);
    limit_ = samples_.start + Ticks(config_.duration_ns);
    if (config_.kind == Kind::kSpin) {
      Spin();
    } else {
      Sleep();
    }
  }

 private:
  void RehearseSpin() {
    std::vector<uint64_t> turns(32'768);
    // The first pass faults pages in and warms the branch predictor; the second counts.
    for (int pass = 0; pass < 2 && !stop_.load(std::memory_order_relaxed); pass++) {
      uint64_t last = read_();
      for (uint64_t& turn : turns) {
        const uint64_t now = read_();
        turn = now - last;
        last = now;
      }
    }
    usual_ = Median(turns);
    samples_.loop_median_ns = static_cast<double>(usual_) * config_.time.ns_per_tick;
    samples_.loop_min_ns =
        static_cast<double>(*std::min_element(turns.begin(), turns.end())) * config_.time.ns_per_tick;
    threshold_ = Threshold(config_, samples_, 200, samples_.loop_median_ns);
  }

  void RehearseSleep() {
    // 50 wake-ups, 250 ms at most.
    const uint64_t count = std::max<uint64_t>(5, std::min<uint64_t>(50, 250'000'000 / config_.interval_ns));
    std::vector<uint64_t> turns;
    for (uint64_t i = 0; i < count && !stop_.load(std::memory_order_relaxed); i++) {
      const uint64_t before = read_();
      clock::SleepNs(static_cast<int64_t>(config_.interval_ns));
      turns.push_back(read_() - before);
    }
    if (turns.empty()) turns.push_back(Ticks(config_.interval_ns));
    least_ = *std::min_element(turns.begin(), turns.end());
    const uint64_t median = Median(turns);
    const double interval = static_cast<double>(config_.interval_ns);
    samples_.loop_min_ns = std::max(0.0, config_.time.ToNs(least_) - interval);
    samples_.loop_median_ns = std::max(0.0, config_.time.ToNs(median) - interval);
    threshold_ = Threshold(config_, samples_, 50'000, config_.time.ToNs(median - least_));
  }

  void Spin() {
    // A gap is what a turn takes beyond the usual.
    const uint64_t longest_usual = threshold_ + usual_;
    uint64_t last = read_();
    uint64_t turns = 0;
    for (;;) {
      for (uint32_t i = 0; i < kTurnsPerCheck; i++) {
        const uint64_t now = read_();
        const uint64_t turn = now - last;
        if (turn > longest_usual) {
          last = handler_.OnTurn(last, turn);
        } else {
          last = now;
        }
      }
      turns += kTurnsPerCheck;
      if (stop_.load(std::memory_order_relaxed)) {
        samples_.stopped = true;
        break;
      }
      if (last >= limit_) break;
    }
    samples_.turns = turns;
    samples_.end = last;
  }

  void Sleep() {
    uint64_t last = read_();
    while (last < limit_) {
      if (stop_.load(std::memory_order_relaxed)) {
        samples_.stopped = true;
        break;
      }
      clock::SleepNs(static_cast<int64_t>(config_.interval_ns));
      const uint64_t now = read_();
      samples_.turns++;
      least_ = std::min(least_, now - last);
      const uint64_t late = now - last - least_;
      RecordLateness(handler_.ToNs(late));
      last = late > threshold_ ? handler_.OnTurn(now - late, late) : now;
    }
    samples_.end = last;
  }

  /// The wake-ups that a long lateness swallowed would have been late too: the expected-interval correction.
  void RecordLateness(uint64_t ns) {
    samples_.histogram.Record(ns);
    for (; ns >= 2 * config_.interval_ns; samples_.histogram.Record(ns)) ns -= config_.interval_ns;
  }

  uint64_t Ticks(uint64_t ns) const { return config_.time.ToTicks(static_cast<double>(ns)); }

  const Config& config_;
  Samples& samples_;
  const std::atomic<bool>& stop_;
  Read read_;
  GapHandler<Read> handler_;
  uint64_t usual_ = 0, threshold_ = 0, limit_ = 0, least_ = 0;
};

template <class Read>
void SampleWith(const Config& config, Samples& samples, LiveTallies& live, const std::atomic<bool>& stop,
                thread::Waiter& ready) {
  Loops<Read> loops(config, samples, live, stop);
  loops.Rehearse();
  while (!ready.Sleep(1'000'000'000)) {
  }
  loops.Run();
}

}  // namespace

void Sampler::Run::Sample() {
  samples = std::make_unique<Samples>(config);
  if (config.time.kernel) {
    SampleWith<ReadKernelTick>(config, *samples, live, stop, ready);
  } else {
    SampleWith<ReadCounterTick>(config, *samples, live, stop, ready);
  }
  finished.Wake();
  // The kernel forgets a thread's counters when it ends.
  while (!released.Sleep(1'000'000'000)) {
  }
}

}  // namespace tscope::jitter
