#include "tscope/jitter/worst.h"

#include <doctest/doctest.h>

#include <random>

using namespace tscope::jitter;

TEST_CASE("keeps the longest gaps in order of time and counts the rest") {
  std::mt19937_64 random(7);
  WorstGaps worst(100);
  std::vector<Gap> all;
  for (uint64_t at = 0; at < 5'000; at++) {
    const Gap gap{at, random() % 1'000'000, 0};
    all.push_back(gap);
    worst.Add(gap);
  }
  const std::vector<Gap> kept = worst.InOrder();
  REQUIRE(kept.size() == 100);
  CHECK(worst.dropped() == 4'900);
  for (size_t i = 1; i < kept.size(); i++) REQUIRE(kept[i - 1].at < kept[i].at);
  std::sort(all.begin(), all.end(), [](const Gap& a, const Gap& b) { return a.len > b.len; });
  for (const Gap& gap : kept) CHECK(gap.len >= all[99].len);
}

TEST_CASE("below its capacity nothing is dropped") {
  WorstGaps worst(3);
  worst.Add({30, 1, 0});
  worst.Add({10, 2, 0});
  CHECK(worst.dropped() == 0);
  CHECK(worst.InOrder().front().at == 10);
  worst.Add({20, 3, 0});
  worst.Add({40, 1, 0});  // not longer than the shortest: stays out
  CHECK(worst.dropped() == 1);
  CHECK(worst.InOrder().back().at == 30);
}
