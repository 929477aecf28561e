#include "tscope/histogram/recorder.h"

#include <algorithm>
#include <cmath>

namespace tscope::histogram {

uint64_t Snapshot::ValueAt(double percentile) const {
  if (total == 0) return 0;
  const double share = std::min(std::max(percentile, 0.0), 100.0) / 100;
  const auto rank =
      std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(share * static_cast<double>(total))));
  uint64_t seen = 0;
  for (uint32_t i = 0; i < counts.size(); i++) {
    seen += counts[i];
    if (seen >= rank) return std::min(UpperBound(i), max);
  }
  return max;
}

Recorder::Recorder() : counts_(new Cell[kBuckets]) { Reset(); }

void Recorder::Reset() {
  for (uint32_t i = 0; i < kBuckets; i++) counts_[i].store(0, std::memory_order_relaxed);
  min_.store(UINT64_MAX, std::memory_order_relaxed);
  max_.store(0, std::memory_order_relaxed);
  sum_.store(0, std::memory_order_relaxed);
  over_.store(0, std::memory_order_relaxed);
}

Snapshot Recorder::Take() const {
  Snapshot out;
  std::vector<uint64_t> counts(kBuckets);
  uint32_t used = 0;
  for (uint32_t i = 0; i < kBuckets; i++) {
    counts[i] = counts_[i].load(std::memory_order_relaxed);
    out.total += counts[i];
    if (counts[i] > 0) used = i + 1;
  }
  out.counts.assign(counts.begin(), counts.begin() + used);
  if (out.total == 0) return out;
  // The writer stores a count before its extremes, so the very first value may be seen without them: 0 then.
  const uint64_t min = min_.load(std::memory_order_relaxed);
  out.min = min == UINT64_MAX ? 0 : min;
  out.max = max_.load(std::memory_order_relaxed);
  out.sum = sum_.load(std::memory_order_relaxed);
  out.over = over_.load(std::memory_order_relaxed);
  return out;
}

}  // namespace tscope::histogram
