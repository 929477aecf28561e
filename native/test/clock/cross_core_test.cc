#include "tscope/clock/cross_core.h"

#include <doctest/doctest.h>
#include <errno.h>

#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

#include "tscope/clock/clock.h"

using namespace tscope::clock;

namespace {

// Exchanges between two counters `offset` ticks apart; one in ten is delayed on the way back.
std::vector<Exchange> Exchanges(size_t n, int64_t offset) {
  std::vector<Exchange> all;
  uint64_t now = 1'000'000;
  for (size_t i = 0; i < n; i++) {
    const uint64_t there = 500, back = i % 10 == 0 ? 9000 : 500;
    all.push_back({now, now + there + static_cast<uint64_t>(offset), now + there + back});
    now += 20'000;
  }
  return all;
}

}  // namespace

TEST_CASE("the offset comes from the shortest round trips") {
  for (int64_t offset : {0, 100, -100}) {
    const auto all = Exchanges(1000, offset);
    const Offset o = OffsetOf(all.data(), all.size());
    CHECK(o.offset_ticks == static_cast<double>(offset));
    CHECK(o.round_trip_ticks == 1000);
    CHECK(o.bound_ticks == 500);
    CHECK(o.spread_ticks == 0);
    CHECK(o.violations == 0);
  }
}

TEST_CASE("counters further apart than the round trip violate causality") {
  const auto all = Exchanges(100, 5000);
  CHECK(OffsetOf(all.data(), all.size()).violations == 90);
  const auto early = Exchanges(100, -5000);
  CHECK(OffsetOf(early.data(), early.size()).violations == 100);
}

TEST_CASE("two directions tell an offset from an asymmetric way") {
  Offset forward{}, backward{};
  forward.offset_ticks = -181;
  backward.offset_ticks = -131;
  const auto both = Combine(forward, backward);
  CHECK(both.offset_ticks == -25);
  CHECK(both.asymmetry_ticks == -156);
}

TEST_CASE("no exchanges") { CHECK(OffsetOf(nullptr, 0).exchanges == 0); }

#if defined(__linux__)
namespace {
std::vector<int> Allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int i = 0; i < CPU_SETSIZE; i++) {
    if (CPU_ISSET(i, &set)) cpus.push_back(i);
  }
  return cpus;
}
}  // namespace

TEST_CASE("two CPUs of this machine, and the caller's affinity stays") {
  const auto cpus = Allowed();
  if (cpus.size() < 2 || GetSetup().source == Source::kKernel) return;
  const PairResult r = MeasurePair(cpus[0], cpus[1], 2000, 2'000'000'000);
  // A loaded machine may not give both threads their CPUs in time.
  if (r.error == ETIME) return;
  REQUIRE(r.error == 0);
  // 0 under emulation: its counter is coarse.
  CHECK(r.forward.round_trip_ticks >= 0);
  CHECK(r.forward.exchanges + r.backward.exchanges > 0);
  CHECK(Allowed() == cpus);
}

TEST_CASE("CPUs that cannot be had are EINVAL") {
  if (GetSetup().source == Source::kKernel) return;
  CHECK(MeasurePair(0, 0, 100, 1'000'000'000).error == EINVAL);
  CHECK(MeasurePair(0, 100'000, 100, 1'000'000'000).error == EINVAL);
  CHECK(MeasurePair(-1, 0, 100, 1'000'000'000).error == EINVAL);
}
#endif
