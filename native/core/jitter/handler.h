// What happens when a gap was found. Private to core/jitter; runs on the sampling thread.
#pragma once

#include <algorithm>
#include <cmath>

#include "run.h"

namespace tscope::jitter {

/// `Read` is a function object that returns the present tick.
template <class Read>
class GapHandler {
 public:
  GapHandler(const Config& config, Samples* samples, LiveTallies* live, Read read)
      : config_(config),
        samples_(*samples),
        live_(*live),
        read_(read),
        ns_per_tick_(config.time.ns_per_tick) {
    rt_pause_ns_ = config.fifo ? RealTimePause() : 0;
    second_ = static_cast<uint64_t>(1e9 / ns_per_tick_);
    probe_ = static_cast<uint64_t>(static_cast<double>(kProbeNs) / ns_per_tick_);
  }

  /// Measures what handling costs and takes the first readings. `usual_turn`: ticks of a turn that lost
  /// nothing.
  void Calibrate(uint64_t threshold, uint64_t usual_turn) {
    usual_turn_ = usual_turn;
    std::array<uint64_t, 33> costs;
    for (uint64_t& cost : costs) {
      const uint64_t before = read_();
      Probe();
      cost = read_() - before;
    }
    std::nth_element(costs.begin(), costs.begin() + costs.size() / 2, costs.end());
    usual_handling_ = costs[costs.size() / 2];
    handling_limit_ = threshold + 8 * usual_handling_ + static_cast<uint64_t>(2'000 / ns_per_tick_);
    samples_.knows_host_cpu = config_.cpu != thread::kAnyCpu && HostCpu().has_value();
    samples_.vcpu_moves = 0;
  }

  void StartAt(uint64_t start) { start_ = start; }

  /// A turn that began at `at` took `ticks`. Returns the tick from which the next turn counts, so that the
  /// handling is not taken for a gap; a gap within the handling is handled in turn.
  uint64_t OnTurn(uint64_t at, uint64_t ticks) {
    // A counter that went back (an unpinned thread between CPUs with unequal counters) is no gap.
    if (static_cast<int64_t>(ticks) <= 0) return at + ticks;
    uint64_t end = at + ticks;
    uint64_t len = ticks - std::min(ticks, usual_turn_);
    for (;;) {
      Record(at, len);
      const uint64_t now = read_();
      const uint64_t handling = now - end;
      if (static_cast<int64_t>(handling) <= 0 || handling <= handling_limit_) {
        samples_.blind_ticks += static_cast<int64_t>(handling) > 0 ? handling : 0;
        return now;
      }
      at = end;
      end = now;
      len = handling - usual_handling_;
      samples_.blind_ticks += usual_handling_;
    }
  }

  uint64_t ToNs(uint64_t ticks) const {
    return static_cast<uint64_t>(std::llround(static_cast<double>(ticks) * ns_per_tick_));
  }

 private:
  struct Changed {
    bool switched, preempted, vcpu;
  };

  Changed Probe() {
    Changed changed{false, false, false};
    if (config_.kind == Kind::kSpin) {
      // A sleeping thread is switched out every time, which says nothing.
      const Switches switches = OwnSwitches().value_or(Switches{});
      changed.preempted = switches.involuntary != switches_.involuntary;
      changed.switched = changed.preempted || switches.voluntary != switches_.voluntary;
      switches_ = switches;
    }
    if (config_.cpu != thread::kAnyCpu) {
      const uint32_t host = HostCpu().value_or(0);
      changed.vcpu = host != host_cpu_;
      host_cpu_ = host;
    }
    return changed;
  }

  void Record(uint64_t at, uint64_t len) {
    GapFacts facts{};
    facts.probed = len >= probe_;
    facts.fifo = config_.fifo;
    facts.len_ns = ToNs(len);
    facts.rt_pause_ns = rt_pause_ns_;
    if (facts.probed) {
      const Changed changed = Probe();
      facts.switched = changed.switched;
      facts.preempted = changed.preempted;
      facts.vcpu_moved = changed.vcpu;
      samples_.vcpu_moves += changed.vcpu ? 1 : 0;
    }
    const Evidence evidence = EvidenceOf(facts);
    if (config_.kind == Kind::kSpin) samples_.histogram.Record(facts.len_ns);
    samples_.worst.Add({at, len, static_cast<uint8_t>(evidence)});
    samples_.gap_count++;
    samples_.lost_ns += facts.len_ns;
    live_.Add(evidence, facts.len_ns);
    AddToSeconds(at, len);
  }

  void AddToSeconds(uint64_t at, uint64_t len) {
    uint64_t from = at - start_;
    while (len > 0) {
      const uint64_t second = std::min<uint64_t>(from / second_, samples_.lost_per_second.size() - 1);
      const bool last = second == samples_.lost_per_second.size() - 1;
      const uint64_t part = last ? len : std::min(len, (second + 1) * second_ - from);
      samples_.lost_per_second[second] += static_cast<double>(part) * ns_per_tick_;
      from += part;
      len -= part;
    }
  }

  const Config& config_;
  Samples& samples_;
  LiveTallies& live_;
  Read read_;
  double ns_per_tick_;
  uint64_t rt_pause_ns_, second_, probe_;
  uint64_t start_ = 0, usual_turn_ = 0, usual_handling_ = 0, handling_limit_ = 0;
  Switches switches_;
  uint32_t host_cpu_ = 0;
};

}  // namespace tscope::jitter
