#include "tscope/thread/time_base.h"

#include <doctest/doctest.h>

using tscope::thread::TimeBase;

TEST_CASE("the tick of a time is the first that is not before it, however coarse the counter") {
  // x86 at 2.6 GHz, the kernel clock, arm64 at 1 GHz, 62.5 MHz and 24 MHz.
  for (const double ns_per_tick : {1 / 2.6, 1.0, 1.000'000'1, 16.0, 16.000'3, 1000.0 / 24}) {
    const TimeBase time{false, ns_per_tick, 12'345};
    for (int i = -2'000; i < 200'000; i++) {
      const double ns = i * 1'733.9 + i / 3.0;
      const uint64_t tick = time.TickAt(ns);
      REQUIRE(time.NsSinceBase(tick) >= ns);
      REQUIRE(time.NsSinceBase(tick - 2) < ns);
    }
    for (uint64_t ticks = 0; ticks < 100'000; ticks += 7) {
      const uint64_t tick = time.base + ticks;
      REQUIRE(time.TickAt(time.NsSinceBase(tick)) - tick <= 1);
    }
  }
}

TEST_CASE("a whole number of ticks is that tick") {
  const TimeBase time{false, 16, 100};
  CHECK(time.TickAt(0) == 100);
  CHECK(time.TickAt(160) == 110);
  CHECK(time.TickAt(160.5) == 111);
  CHECK(time.TickAt(-160) == 90);
  CHECK(time.TickAt(-160.5) == 90);
}
