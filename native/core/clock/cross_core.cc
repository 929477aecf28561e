#include "tscope/clock/cross_core.h"

#include <algorithm>
#include <vector>

namespace tscope::clock {

Offset OffsetOf(const Exchange* exchanges, size_t n) {
  Offset result{};
  result.exchanges = n;
  if (n == 0) return result;
  struct Sample {
    int64_t round_trip;
    double offset;
  };
  std::vector<Sample> samples;
  samples.reserve(n);
  for (size_t i = 0; i < n; i++) {
    const auto round_trip = static_cast<int64_t>(exchanges[i].received - exchanges[i].sent);
    const auto remote = static_cast<int64_t>(exchanges[i].remote - exchanges[i].sent);
    if (remote < 0 || remote > round_trip) result.violations++;
    samples.push_back({round_trip, static_cast<double>(remote) - static_cast<double>(round_trip) / 2});
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.round_trip < b.round_trip; });
  result.round_trip_ticks = static_cast<double>(samples.front().round_trip);
  result.bound_ticks = result.round_trip_ticks / 2;
  std::vector<double> best;
  for (size_t i = 0; i < std::max<size_t>(n / 100, std::min<size_t>(n, 10)); i++)
    best.push_back(samples[i].offset);
  std::sort(best.begin(), best.end());
  result.offset_ticks = best[best.size() / 2];
  result.spread_ticks = best[best.size() * 19 / 20] - best[best.size() / 20];
  return result;
}

TwoWay Combine(const Offset& forward, const Offset& backward) {
  return {(forward.offset_ticks - backward.offset_ticks) / 2,
          (forward.offset_ticks + backward.offset_ticks) / 2};
}

}  // namespace tscope::clock
