#include "tscope/jitter/classify.h"

#include <algorithm>
#include <cmath>

namespace tscope::jitter {
namespace {

Tally& At(CauseTallies& causes, Cause cause) { return causes[static_cast<int>(cause)]; }

void Move(Tally& from, Tally part, Tally& to) {
  from.gaps -= part.gaps;
  from.lost_ns -= part.lost_ns;
  to.gaps += part.gaps;
  to.lost_ns += part.lost_ns;
}

/// The share of `tally` that `budget_ns` explains; a gap counts as explained when more than half of its share
/// is.
Tally PartByTime(const Tally& tally, uint64_t budget_ns) {
  if (tally.lost_ns <= budget_ns) return tally;
  const double share = static_cast<double>(budget_ns) / static_cast<double>(tally.lost_ns);
  return {static_cast<uint64_t>(std::llround(share * static_cast<double>(tally.gaps))), budget_ns};
}

/// An interrupt with its soft part takes microseconds; on average over a window never more than this.
constexpr uint64_t kLongestInterruptNs = 100'000;

/// The share of `tally` that `events` explain, one gap each at most.
Tally PartByCount(const Tally& tally, uint64_t events) {
  if (tally.gaps <= events) return tally;
  const double share = static_cast<double>(events) / static_cast<double>(tally.gaps);
  return {events, static_cast<uint64_t>(std::llround(share * static_cast<double>(tally.lost_ns)))};
}

uint64_t SpendTime(Tally& tally, uint64_t budget_ns, Tally& to) {
  const Tally part = PartByTime(tally, budget_ns);
  Move(tally, part, to);
  return budget_ns - part.lost_ns;
}

uint64_t SpendCount(Tally& tally, uint64_t events, uint64_t longest_ns, Tally& to) {
  Tally part = PartByCount(tally, events);
  part = PartByTime(part, part.gaps * longest_ns);
  Move(tally, part, to);
  return events - part.gaps;
}

}  // namespace

bool IsRealTimePause(uint64_t len_ns, uint64_t rt_pause_ns) {
  if (rt_pause_ns == 0) return false;
  const double pauses = static_cast<double>(len_ns) / static_cast<double>(rt_pause_ns);
  const double whole = std::round(pauses);
  return whole >= 1 && std::abs(pauses - whole) <= 0.1;
}

Evidence EvidenceOf(const GapFacts& facts) {
  if (!facts.probed) return Evidence::kNotProbed;
  if (facts.switched) {
    return facts.fifo && facts.preempted && IsRealTimePause(facts.len_ns, facts.rt_pause_ns)
               ? Evidence::kRealTimeThrottle
               : Evidence::kSwitched;
  }
  return facts.vcpu_moved ? Evidence::kVcpuMoved : Evidence::kNothing;
}

void Attributor::Add(const GapTallies& gaps, const WindowCounters& counters) {
  GapTallies rest = gaps;
  const auto of = [&rest](Evidence evidence) -> Tally& { return rest[static_cast<int>(evidence)]; };
  Tally& switched = of(Evidence::kSwitched);
  Tally& nothing = of(Evidence::kNothing);
  Tally& not_probed = of(Evidence::kNotProbed);

  Move(of(Evidence::kVcpuMoved), of(Evidence::kVcpuMoved), At(causes_, Cause::kVcpuMoved));
  Move(of(Evidence::kRealTimeThrottle), of(Evidence::kRealTimeThrottle),
       At(causes_, Cause::kRealTimeThrottle));

  // A throttled group's threads are switched out, so throttling explains switched gaps, up to the time it
  // held.
  const uint64_t throttled_ns = counters.throttled.value_or(0) > 0 ? counters.throttled_ns.value_or(0) : 0;
  uint64_t budget = SpendTime(switched, throttled_ns + spare_throttled_ns_, At(causes_, Cause::kThrottling));
  spare_throttled_ns_ = std::min(budget, throttled_ns);
  Move(switched, switched, At(causes_, Cause::kScheduler));

  if (sleeping_) {
    const uint64_t left =
        SpendTime(nothing, counters.run_delay_ns.value_or(0), At(causes_, Cause::kScheduler));
    SpendTime(not_probed, left, At(causes_, Cause::kScheduler));
  }

  // Long gaps first: the host takes time in slices, interrupts in microseconds.
  const uint64_t steal_ns = counters.steal_ns.value_or(0);
  budget = SpendTime(nothing, steal_ns + spare_steal_ns_, At(causes_, Cause::kSteal));
  budget = SpendTime(not_probed, budget, At(causes_, Cause::kSteal));
  spare_steal_ns_ = std::min(budget, steal_ns);

  if (!sleeping_) {
    // Soft interrupts run at the end of hard ones, so their counts are not added but compared. Short gaps
    // first. Not for a sleeping sampler: each of its wake-ups is an interrupt, late or not.
    const uint64_t events = std::max(counters.interrupts.value_or(0), counters.softirqs.value_or(0));
    const uint64_t left = SpendCount(not_probed, events, kLongestInterruptNs, At(causes_, Cause::kInterrupt));
    SpendCount(nothing, left, kLongestInterruptNs, At(causes_, Cause::kInterrupt));
  }

  Move(nothing, nothing, At(causes_, Cause::kUnexplained));
  Move(not_probed, not_probed, At(causes_, Cause::kUnexplained));
}

}  // namespace tscope::jitter
