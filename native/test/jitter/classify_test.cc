#include "tscope/jitter/classify.h"

#include <doctest/doctest.h>

using namespace tscope::jitter;

namespace {

GapTallies Gaps(Evidence evidence, uint64_t gaps, uint64_t ns) {
  GapTallies all{};
  all[static_cast<int>(evidence)] = {gaps, ns};
  return all;
}

Tally Of(const Attributor& attributor, Cause cause) { return attributor.causes()[static_cast<int>(cause)]; }

bool Is(const Tally& tally, uint64_t gaps, uint64_t ns) { return tally.gaps == gaps && tally.lost_ns == ns; }

}  // namespace

TEST_CASE("what the thread noticed") {
  GapFacts facts{};
  facts.len_ns = 50'000'000;
  facts.rt_pause_ns = 50'000'000;
  CHECK(EvidenceOf(facts) == Evidence::kNotProbed);
  facts.probed = true;
  CHECK(EvidenceOf(facts) == Evidence::kNothing);
  facts.vcpu_moved = true;
  CHECK(EvidenceOf(facts) == Evidence::kVcpuMoved);
  facts.switched = true;  // a moved vCPU does not switch the thread out: the switch explains more
  CHECK(EvidenceOf(facts) == Evidence::kSwitched);
  facts.fifo = true;
  CHECK(EvidenceOf(facts) == Evidence::kSwitched);
  facts.preempted = true;
  CHECK(EvidenceOf(facts) == Evidence::kRealTimeThrottle);
  facts.len_ns = 62'000'000;
  CHECK(EvidenceOf(facts) == Evidence::kSwitched);
}

TEST_CASE("real-time pauses are whole multiples within 10 %") {
  CHECK(IsRealTimePause(50'000'000, 50'000'000));
  CHECK(IsRealTimePause(54'900'000, 50'000'000));
  CHECK(IsRealTimePause(45'100'000, 50'000'000));
  CHECK(IsRealTimePause(100'000'000, 50'000'000));
  CHECK_FALSE(IsRealTimePause(56'000'000, 50'000'000));
  CHECK_FALSE(IsRealTimePause(44'000'000, 50'000'000));
  CHECK_FALSE(IsRealTimePause(2'000'000, 50'000'000));
  CHECK_FALSE(IsRealTimePause(50'000'000, 0));
}

TEST_CASE("switched gaps are the scheduler's unless a cgroup was throttled") {
  Attributor plain(false);
  plain.Add(Gaps(Evidence::kSwitched, 3, 9'000'000), {});
  CHECK(Is(Of(plain, Cause::kScheduler), 3, 9'000'000));

  Attributor throttled(false);
  WindowCounters counters;
  counters.throttled = 2;
  counters.throttled_ns = 6'000'000;
  throttled.Add(Gaps(Evidence::kSwitched, 3, 9'000'000), counters);
  CHECK(Is(Of(throttled, Cause::kThrottling), 2, 6'000'000));
  CHECK(Is(Of(throttled, Cause::kScheduler), 1, 3'000'000));
}

TEST_CASE("steal explains long gaps before short ones, and never switched ones") {
  Attributor attributor(false);
  GapTallies gaps = Gaps(Evidence::kNothing, 2, 8'000'000);
  gaps[static_cast<int>(Evidence::kNotProbed)] = {100, 500'000};
  gaps[static_cast<int>(Evidence::kSwitched)] = {1, 1'000'000};
  WindowCounters counters;
  counters.steal_ns = 10'000'000;
  attributor.Add(gaps, counters);
  CHECK(Is(Of(attributor, Cause::kSteal), 102, 8'500'000));
  CHECK(Is(Of(attributor, Cause::kScheduler), 1, 1'000'000));
  CHECK(Is(Of(attributor, Cause::kUnexplained), 0, 0));
}

TEST_CASE("steal and throttling left over explain the next window's gaps, once") {
  Attributor attributor(false);
  WindowCounters counters;
  counters.steal_ns = 10'000'000;
  attributor.Add(GapTallies{}, counters);
  attributor.Add(Gaps(Evidence::kNothing, 1, 9'000'000), {});
  CHECK(Is(Of(attributor, Cause::kSteal), 1, 9'000'000));
  attributor.Add(Gaps(Evidence::kNothing, 1, 9'000'000), {});
  CHECK(Is(Of(attributor, Cause::kUnexplained), 1, 9'000'000));

  Attributor throttled(false);
  WindowCounters limit;
  limit.throttled = 1;
  limit.throttled_ns = 5'000'000;
  throttled.Add(GapTallies{}, limit);
  throttled.Add(Gaps(Evidence::kSwitched, 1, 5'000'000), {});
  CHECK(Is(Of(throttled, Cause::kThrottling), 1, 5'000'000));
}

TEST_CASE("interrupts explain one gap each at most, short ones first") {
  Attributor attributor(false);
  GapTallies gaps = Gaps(Evidence::kNotProbed, 10, 50'000);
  gaps[static_cast<int>(Evidence::kNothing)] = {4, 120'000};
  WindowCounters counters;
  counters.interrupts = 12;
  counters.softirqs = 7;
  attributor.Add(gaps, counters);
  CHECK(Is(Of(attributor, Cause::kInterrupt), 12, 50'000 + 60'000));
  CHECK(Is(Of(attributor, Cause::kUnexplained), 2, 60'000));
}

TEST_CASE("interrupts do not explain milliseconds") {
  Attributor attributor(false);
  WindowCounters counters;
  counters.interrupts = 10;
  attributor.Add(Gaps(Evidence::kNothing, 4, 40'000'000), counters);
  CHECK(Is(Of(attributor, Cause::kInterrupt), 0, 400'000));
  CHECK(Is(Of(attributor, Cause::kUnexplained), 4, 39'600'000));
}

TEST_CASE("nothing readable: unexplained, and nothing is lost or counted twice") {
  Attributor attributor(false);
  GapTallies gaps{};
  uint64_t count = 0, ns = 0;
  for (int i = 0; i < kEvidences; i++) {
    gaps[i] = {static_cast<uint64_t>(i) + 1, (static_cast<uint64_t>(i) + 1) * 1'000};
    count += gaps[i].gaps;
    ns += gaps[i].lost_ns;
  }
  WindowCounters counters;
  counters.interrupts = 1;
  counters.steal_ns = 500;
  counters.throttled = 1;
  counters.throttled_ns = 700;
  attributor.Add(gaps, counters);
  attributor.Add(gaps, {});
  uint64_t found_count = 0, found_ns = 0;
  for (const Tally& tally : attributor.causes()) {
    found_count += tally.gaps;
    found_ns += tally.lost_ns;
  }
  CHECK(found_count == 2 * count);
  CHECK(found_ns == 2 * ns);
}

TEST_CASE("a sleeping sampler's late wake-ups are the scheduler's as far as the run queue's wait goes") {
  Attributor attributor(true);
  WindowCounters counters;
  counters.run_delay_ns = 3'000'000;
  counters.interrupts = 1'000;  // its own wake-ups
  attributor.Add(Gaps(Evidence::kNothing, 4, 4'000'000), counters);
  CHECK(Is(Of(attributor, Cause::kScheduler), 3, 3'000'000));
  CHECK(Is(Of(attributor, Cause::kUnexplained), 1, 1'000'000));
}
