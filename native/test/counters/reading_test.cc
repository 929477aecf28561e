#include "tscope/counters/reading.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tscope::counters;

TEST_CASE("a recorded read of three events, given back in another order") {
  // n, enabled, running, then count and id of each.
  const uint64_t words[] = {3, 5000, 5000, 900, 41, 300, 42, 7, 43};
  const uint64_t ids[] = {43, 41, 42};
  Sample sample;
  REQUIRE(ParseSample(words, 9, ids, 3, &sample));
  CHECK(sample.enabled_ns == 5000);
  CHECK(sample.counts[0] == 7);
  CHECK(sample.counts[1] == 900);
  CHECK(sample.counts[2] == 300);
}

TEST_CASE("a read that is not of these events is refused") {
  const uint64_t words[] = {2, 5000, 5000, 900, 41, 300, 42};
  const uint64_t ids[] = {41, 42, 43};
  const uint64_t others[] = {41, 99};
  Sample sample;
  CHECK_FALSE(ParseSample(words, 7, ids, 3, &sample));
  CHECK_FALSE(ParseSample(words, 6, ids, 2, &sample));
  CHECK_FALSE(ParseSample(words, 0, ids, 2, &sample));
  CHECK_FALSE(ParseSample(words, 7, others, 2, &sample));
  CHECK(ParseSample(words, 7, ids, 2, &sample));
  uint64_t many[kMaxEvents + 1] = {};
  CHECK_FALSE(ParseSample(words, 7, many, kMaxEvents + 1, &sample));
}

static Sample At(uint64_t enabled, uint64_t running, uint64_t a, uint64_t b) {
  Sample sample;
  sample.enabled_ns = enabled;
  sample.running_ns = running;
  sample.counts[0] = a;
  sample.counts[1] = b;
  return sample;
}

TEST_CASE("the whole time on the PMU: plain differences") {
  const Delta d = Difference(At(1000, 800, 10, 5), At(3000, 2800, 1010, 5), 2);
  CHECK(d.enabled_ns == 2000);
  CHECK(d.running_ns == 2000);
  CHECK_FALSE(d.multiplexed);
  CHECK(d.counts[0] == 1000);
  CHECK(d.counts[1] == 0);
}

TEST_CASE("a quarter of the time on the PMU: counts times four") {
  const Delta d = Difference(At(1000, 1000, 0, 0), At(5000, 2000, 250, 3), 2);
  CHECK(d.multiplexed);
  CHECK(d.counts[0] == 1000);
  CHECK(d.counts[1] == 12);
}

TEST_CASE("never on the PMU: no count, not zero") {
  const Delta d = Difference(At(1000, 1000, 9, 9), At(5000, 1000, 9, 9), 2);
  CHECK(d.multiplexed);
  CHECK(std::isnan(d.counts[0]));
  CHECK(std::isnan(d.counts[1]));
}

TEST_CASE("a counter that wraps, and an empty section") {
  const Delta d = Difference(At(0, 0, UINT64_MAX - 9, 0), At(100, 100, 10, 0), 2);
  CHECK(d.counts[0] == 20);
  const Delta empty = Difference(At(7, 7, 3, 3), At(7, 7, 3, 3), 2);
  CHECK_FALSE(empty.multiplexed);
  CHECK(empty.counts[0] == 0);
}
