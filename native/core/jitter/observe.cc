// The observer thread: the machine's counters once per window, causes, and the end of a run.
#include "cpu_registry.h"
#include "run.h"

namespace tscope::jitter {
namespace {

template <class T>
std::optional<uint64_t> Moved(const std::optional<T>& before, const std::optional<T>& after,
                              uint64_t T::*field) {
  if (!before || !after) return std::nullopt;
  return (*after).*field - std::min((*before).*field, (*after).*field);
}

std::optional<uint64_t> Moved(const std::optional<uint64_t>& before, const std::optional<uint64_t>& after) {
  if (!before || !after) return std::nullopt;
  return *after - std::min(*before, *after);
}

WindowCounters Between(const Reading& before, const Reading& after) {
  WindowCounters moved;
  moved.interrupts = Moved(before.interrupts, after.interrupts);
  moved.softirqs = Moved(before.softirqs, after.softirqs);
  moved.throttled = Moved(before.throttling, after.throttling, &Throttling::times);
  moved.throttled_ns = Moved(before.throttling, after.throttling, &Throttling::ns);
  moved.steal_ns = Moved(before.steal_ns, after.steal_ns);
  moved.run_delay_ns = Moved(before.run_delay_ns, after.run_delay_ns);
  return moved;
}

GapTallies Between(const GapTallies& before, const GapTallies& after) {
  GapTallies moved;
  for (int i = 0; i < kEvidences; i++) {
    moved[i].gaps = after[i].gaps - before[i].gaps;
    moved[i].lost_ns = after[i].lost_ns - before[i].lost_ns;
  }
  return moved;
}

}  // namespace

void Sampler::Run::Observe() {
  const Machine machine(config.cpu, sampling.tid());
  const Reading first = machine.Read();
  Reading before = first;
  GapTallies counted{};
  Attributor attributor(config.kind == Kind::kSleep);
  uint64_t windows = 0;
  ready.Wake();
  for (bool ended = false; !ended; windows++) {
    ended = finished.Sleep(kWindowNs);
    // Gaps before counters: what moved a counter after its gap was read is spare for the next window, not
    // missing.
    const GapTallies seen = live.Read();
    const Reading now = machine.Read();
    attributor.Add(Between(counted, seen), Between(before, now));
    counted = seen;
    before = now;
  }
  sampling.Unpin();
  released.Wake();
  Finish(attributor.causes(), windows, first, before);
  ReleaseCpu(config.cpu);
  on_done();
}

void Sampler::Run::Finish(const CauseTallies& causes, uint64_t windows, const Reading& first,
                          const Reading& last) {
  result.gaps = samples->worst.InOrder();
  result.dropped = samples->worst.dropped();
  result.histogram = samples->histogram.Take();
  result.gap_count = samples->gap_count;
  result.lost_ns = samples->lost_ns;
  const double duration = static_cast<double>(samples->end - samples->start) * config.time.ns_per_tick;
  const auto seconds = static_cast<size_t>(duration / 1e9) + 1;
  result.lost_per_second_ns = samples->lost_per_second;
  if (seconds < result.lost_per_second_ns.size()) result.lost_per_second_ns.resize(seconds);
  result.start = samples->start;
  result.end = samples->end;
  result.wall_start_ns = samples->wall_start_ns;
  result.turns = samples->turns;
  result.loop_min_ns = samples->loop_min_ns;
  result.loop_median_ns = samples->loop_median_ns;
  result.threshold_ns = samples->threshold_ns;
  result.blind_ns =
      static_cast<uint64_t>(static_cast<double>(samples->blind_ticks) * config.time.ns_per_tick);
  result.stopped = samples->stopped;
  result.causes = causes;
  result.windows = windows;
  const WindowCounters moved = Between(first, last);
  result.totals.voluntary = Moved(first.switches, last.switches, &Switches::voluntary);
  result.totals.involuntary = Moved(first.switches, last.switches, &Switches::involuntary);
  result.totals.run_delay_ns = moved.run_delay_ns;
  result.totals.interrupts = moved.interrupts;
  result.totals.softirqs = moved.softirqs;
  result.totals.throttled = moved.throttled;
  result.totals.throttled_ns = moved.throttled_ns;
  result.totals.steal_ns = moved.steal_ns;
  if (samples->knows_host_cpu) result.totals.vcpu_moves = samples->vcpu_moves;
  // A sampler may wait long for its owner, or for a garbage collector, to go.
  samples.reset();
}

}  // namespace tscope::jitter
