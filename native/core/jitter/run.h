// One run of a sampler, shared by its two threads. Private to core/jitter.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tscope/histogram/recorder.h"
#include "tscope/jitter/machine.h"
#include "tscope/jitter/sampler.h"
#include "tscope/jitter/worst.h"
#include "tscope/thread/thread.h"
#include "tscope/thread/waiter.h"

namespace tscope::jitter {

/// Cumulative tallies: written by the sampling thread, read by the observer.
class LiveTallies {
 public:
  void Add(Evidence evidence, uint64_t ns) {
    Cell& cell = cells_[static_cast<int>(evidence)];
    cell.gaps.store(cell.gaps.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    cell.ns.store(cell.ns.load(std::memory_order_relaxed) + ns, std::memory_order_relaxed);
  }
  GapTallies Read() const {
    GapTallies out;
    for (int i = 0; i < kEvidences; i++) {
      out[i].gaps = cells_[i].gaps.load(std::memory_order_relaxed);
      out[i].lost_ns = cells_[i].ns.load(std::memory_order_relaxed);
    }
    return out;
  }

 private:
  struct Cell {
    std::atomic<uint64_t> gaps{0}, ns{0};
  };
  std::array<Cell, kEvidences> cells_;
};

/// What only the sampling thread touches while it runs. Everything is allocated and touched before sampling
/// starts.
struct Samples {
  explicit Samples(const Config& config)
      : worst(config.capacity), lost_per_second(config.duration_ns / 1'000'000'000 + 2, 0.0) {}

  WorstGaps worst;
  histogram::Recorder histogram;
  std::vector<double> lost_per_second;
  uint64_t gap_count = 0;
  uint64_t lost_ns = 0;
  uint64_t blind_ticks = 0;
  uint64_t vcpu_moves = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  int64_t wall_start_ns = 0;
  uint64_t turns = 0;
  double loop_min_ns = 0;
  double loop_median_ns = 0;
  uint64_t threshold_ns = 0;
  bool knows_host_cpu = false;
  bool stopped = false;
};

struct Sampler::Run {
  Run(const Config& config, std::function<void()> done) : config(config), on_done(std::move(done)) {}

  const Config config;
  /// Made by the sampling thread, so that the memory is close to its CPU.
  std::unique_ptr<Samples> samples;
  LiveTallies live;
  std::atomic<bool> stop{false};
  /// Observer has read the counters: sampling may start. Sampling has ended. Observer has read them again.
  thread::Waiter ready, finished, released;
  std::function<void()> on_done;
  Result result;
  thread::Thread sampling, observing;

  /// Bodies of the two threads.
  void Sample();
  void Observe();
  void Finish(const CauseTallies& causes, uint64_t windows, const Reading& before, const Reading& after);
};

}  // namespace tscope::jitter
