#include "tscope/histogram/log_linear.h"

#include <doctest/doctest.h>

using namespace tscope::histogram;

TEST_CASE("every bucket boundary maps to its bucket, and the values beside it to the neighbours") {
  for (uint32_t i = 0; i < kBuckets; i++) {
    REQUIRE(IndexOf(LowerBound(i)) == i);
    REQUIRE(IndexOf(UpperBound(i)) == i);
    REQUIRE(UpperBound(i) - LowerBound(i) + 1 == WidthOf(i));
    if (i > 0) {
      REQUIRE(LowerBound(i) == UpperBound(i - 1) + 1);
      REQUIRE(IndexOf(LowerBound(i) - 1) == i - 1);
    }
  }
}

TEST_CASE("buckets start at 0 and end at the largest value; beyond it indexes go on") {
  CHECK(LowerBound(0) == 0);
  CHECK(IndexOf(0) == 0);
  CHECK(IndexOf(kMaxValue) == kBuckets - 1);
  CHECK(IndexOf(kMaxValue + 1) == kBuckets);
  CHECK(IndexOf(UINT64_MAX) > kBuckets);
}

TEST_CASE("a bucket is at most 1/128 of its smallest value wide, and exact below 256") {
  for (uint32_t i = 0; i < 256; i++) REQUIRE(WidthOf(i) == 1);
  for (uint32_t i = 256; i < kBuckets; i++) REQUIRE(WidthOf(i) * 128 <= LowerBound(i));
}
