// A log-linear histogram with one writing thread and any number of reading ones. Recording takes no lock and
// makes no system call; a snapshot taken while the writer records is consistent in itself (its total is the
// sum of its counts).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "tscope/histogram/log_linear.h"

namespace tscope::histogram {

struct Snapshot {
  /// One count per bucket, up to the highest bucket that has one.
  std::vector<uint64_t> counts;
  /// Sum of counts.
  uint64_t total = 0;
  /// Smallest and largest recorded value, exact; 0 when nothing was recorded.
  uint64_t min = 0;
  uint64_t max = 0;
  /// Sum of recorded values; wraps at 2^64.
  uint64_t sum = 0;
  /// Values above kMaxValue; they are counted in the last bucket, and `max` is kMaxValue.
  uint64_t over = 0;

  /// Value at `percentile` (0..100): the upper bound of the bucket that holds that rank, never above `max`; 0
  /// when empty.
  uint64_t ValueAt(double percentile) const;
};

class Recorder {
 public:
  /// All memory (48 KB) is allocated and touched here.
  Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Only ever from one thread at a time.
  void Record(uint64_t value) { RecordMany(value, 1); }

  void RecordMany(uint64_t value, uint64_t count) {
    if (value > kMaxValue) {
      value = kMaxValue;
      Add(over_, count);
    }
    Add(counts_[IndexOf(value)], count);
    Add(sum_, value * count);
    if (value < min_.load(std::memory_order_relaxed)) min_.store(value, std::memory_order_relaxed);
    if (value > max_.load(std::memory_order_relaxed)) max_.store(value, std::memory_order_relaxed);
  }

  /// From any thread.
  Snapshot Take() const;

  /// Only from the writing thread.
  void Reset();

 private:
  using Cell = std::atomic<uint64_t>;

  // One writer: a plain add (load, add, store) instead of a locked one, 1 ns instead of 5.
  static void Add(Cell& cell, uint64_t count) {
    cell.store(cell.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }

  std::unique_ptr<Cell[]> counts_;
  Cell min_{UINT64_MAX};
  Cell max_{0};
  Cell sum_{0};
  Cell over_{0};
};

}  // namespace tscope::histogram
