// Log-linear bucket arithmetic: pure, no state. Values below 2^(kSubBits + 1) have a bucket each; above,
// every octave is cut into 2^kSubBits equal buckets, so a bucket is at most 1/128 (0.8 %) of its value wide.
#pragma once

#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace tscope::histogram {

constexpr int kSubBits = 7;
constexpr uint64_t kSub = uint64_t{1} << kSubBits;
/// Largest value with a bucket of its own octave: the largest integer a double holds exactly, so that
/// JavaScript agrees.
constexpr uint64_t kMaxValue = (uint64_t{1} << 53) - 1;

/// Position of the highest set bit; `value` must not be 0.
inline int HighBit(uint64_t value) {
#ifdef _MSC_VER
  unsigned long at;
  _BitScanReverse64(&at, value);
  return static_cast<int>(at);
#else
  return 63 - __builtin_clzll(value);
#endif
}

/// Bucket of `value` (any unsigned 64-bit integer; see kBuckets for the range that recorders keep).
inline uint32_t IndexOf(uint64_t value) {
  const int octave = HighBit(value | kSub) - kSubBits;
  return static_cast<uint32_t>((static_cast<uint64_t>(octave) << kSubBits) + (value >> octave));
}

/// Smallest value of bucket `index`.
constexpr uint64_t LowerBound(uint32_t index) {
  if (index < 2 * kSub) return index;
  const uint32_t octave = (index >> kSubBits) - 1;
  return ((index & (kSub - 1)) + kSub) << octave;
}

/// Number of integers in bucket `index`.
constexpr uint64_t WidthOf(uint32_t index) {
  return index < 2 * kSub ? 1 : uint64_t{1} << ((index >> kSubBits) - 1);
}

/// Largest value of bucket `index`.
constexpr uint64_t UpperBound(uint32_t index) { return LowerBound(index) + (WidthOf(index) - 1); }

/// Buckets for 0..kMaxValue.
constexpr uint32_t kBuckets = static_cast<uint32_t>(((52 - kSubBits) << kSubBits) + 2 * kSub);
static_assert(UpperBound(kBuckets - 1) == kMaxValue, "the last bucket ends at the largest value");

}  // namespace tscope::histogram
