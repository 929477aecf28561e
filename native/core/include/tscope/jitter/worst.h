// The longest gaps seen so far, at most `capacity` of them: preallocated, touched, and never blocking. When
// it is full the shortest makes room, so that what is lost is always the least interesting, and is counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tscope::jitter {

struct Gap {
  /// Tick at which the gap began.
  uint64_t at;
  /// Its length in ticks.
  uint64_t len;
  /// An Evidence.
  uint8_t evidence;
};

class WorstGaps {
 public:
  explicit WorstGaps(uint32_t capacity) : capacity_(capacity) {
    // Constructing every element touches the pages; clear() keeps them.
    heap_.resize(capacity);
    heap_.clear();
  }

  /// O(1) until full, then O(log capacity) for gaps that are kept.
  void Add(const Gap& gap) {
    if (heap_.size() < capacity_) {
      heap_.push_back(gap);
      if (heap_.size() == capacity_) std::make_heap(heap_.begin(), heap_.end(), LongerFirst);
      return;
    }
    dropped_++;
    if (gap.len <= heap_.front().len) return;
    std::pop_heap(heap_.begin(), heap_.end(), LongerFirst);
    heap_.back() = gap;
    std::push_heap(heap_.begin(), heap_.end(), LongerFirst);
  }

  /// Gaps that are not in the list any more, or never were.
  uint64_t dropped() const { return dropped_; }

  /// The kept gaps in order of time.
  std::vector<Gap> InOrder() const {
    std::vector<Gap> gaps = heap_;
    std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.at < b.at; });
    return gaps;
  }

 private:
  // As "less" of a heap it puts the shortest gap at the front.
  static bool LongerFirst(const Gap& a, const Gap& b) { return a.len > b.len; }

  uint32_t capacity_;
  std::vector<Gap> heap_;
  uint64_t dropped_ = 0;
};

}  // namespace tscope::jitter
