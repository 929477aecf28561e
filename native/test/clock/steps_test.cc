#include "tscope/clock/steps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

using tscope::clock::Steps;
using tscope::clock::StepsOf;

namespace {

// Readings at varied distances of 11 to 266 ns of a counter given as a function of ns.
Steps Read(const std::function<double(double)>& counter) {
  std::vector<uint64_t> ticks;
  uint32_t random = 7;
  double ns = 1e6;
  for (int i = 0; i < 5000; i++) {
    random = random * 1664525u + 1013904223u;
    ns += 11 + (random >> 24);
    ticks.push_back(static_cast<uint64_t>(counter(ns)));
  }
  return StepsOf(ticks.data(), ticks.size());
}

}  // namespace

TEST_CASE("steps of 21 ticks every 10 ns, as measured on a Zen 5 guest") {
  const Steps s = Read([](double ns) { return std::floor(ns / 10) * 21; });
  CHECK(s.granularity == 21);
  CHECK(s.gcd == 21);
  CHECK(s.smallest == 21);
  CHECK(s.backward == 0);
}

TEST_CASE("a scaled counter is rounded: the gcd says 1, the step is 26") {
  const Steps s = Read([](double ns) { return std::round(std::floor(ns / 10) * 25.96); });
  CHECK(s.gcd == 1);
  CHECK(s.granularity == 26);
}

TEST_CASE("a counter that adds a tick rather than repeat itself") {
  double last = -1;
  const Steps s = Read([&last](double ns) {
    const double tick = std::floor(ns / 100) * 26;
    last = tick > last ? tick : last + 1;
    return last;
  });
  CHECK(s.gcd == 1);
  CHECK(s.granularity == 26);
}

TEST_CASE("fine and coarse counters") {
  CHECK(Read([](double ns) { return std::floor(ns * 2.1); }).granularity == 1);
  CHECK(Read([](double ns) { return std::floor(ns * 1.5) * 2; }).granularity == 2);
  CHECK(Read([](double ns) { return std::floor(ns / 41.67); }).granularity == 1);
  CHECK(Read([](double ns) { return std::floor(ns / 100) * 100; }).granularity == 100);
  CHECK(Read([](double ns) { return std::floor(ns / 4e3) * 4e3; }).granularity == 4000);
}

TEST_CASE("backward steps are counted, not folded in") {
  const uint64_t ticks[] = {100, 121, 142, 100, 121, 163};
  const Steps s = StepsOf(ticks, 6);
  CHECK(s.backward == 1);
  CHECK(s.gcd == 21);
}

TEST_CASE("a counter that stands still, and no readings") {
  const uint64_t ticks[] = {5, 5, 5};
  CHECK(StepsOf(ticks, 3).granularity == 0);
  CHECK(StepsOf(nullptr, 0).granularity == 0);
}
