#include "tscope/clock/steps.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tscope::clock {

namespace {

using Counts = std::map<uint64_t, size_t>;  // difference (in units of the gcd) -> how often

constexpr double kMost = 0.8;        // share of differences that must fit a step
constexpr uint64_t kRounded = 8;     // steps from here on may be rounded, so that multiples are off by one
constexpr uint64_t kLargest = 512;   // no counter makes coarser steps than this and rounds them
constexpr uint64_t kMultiples = 16;  // rounding adds up: larger multiples say nothing
constexpr double kEnough = 0.3;      // share of all differences that must be small enough to judge a step

// Share of the differences up to kMultiples * step that are multiples of step, within `tolerance`.
// Differences of one tick are no step, only the counter's way of not repeating itself.
double Share(const Counts& counts, uint64_t step, uint64_t tolerance, size_t total) {
  size_t judged = 0, fit = 0;
  for (const auto& [difference, n] : counts) {
    if (difference <= tolerance) continue;
    if (difference > kMultiples * step) break;
    judged += n;
    const uint64_t over = difference % step;
    if (std::min(over, step - over) <= tolerance) fit += n;
  }
  if (static_cast<double>(judged) < kEnough * static_cast<double>(total)) return 0;
  return static_cast<double>(fit) / static_cast<double>(judged);
}

uint64_t LargestStep(const Counts& counts, size_t total) {
  for (uint64_t step = kLargest; step > 1; step--) {
    if (Share(counts, step, step >= kRounded ? 1 : 0, total) < kMost) continue;
    if (step < kRounded) return step;
    // Neighbours pass too, thanks to the tolerance; the real one has the most exact multiples.
    uint64_t best = step;
    double best_share = 0;
    for (uint64_t candidate = step; candidate >= kRounded && candidate + 2 >= step; candidate--) {
      const double share = Share(counts, candidate, 0, total);
      if (share > best_share) {
        best = candidate;
        best_share = share;
      }
    }
    return best;
  }
  return 1;
}

}  // namespace

Steps StepsOf(const uint64_t* ticks, size_t n) {
  Steps steps{};
  Counts raw;
  size_t total = 0;
  for (size_t i = 1; i < n; i++) {
    if (ticks[i] < ticks[i - 1]) {
      steps.backward++;
      continue;
    }
    const uint64_t difference = ticks[i] - ticks[i - 1];
    if (difference == 0) continue;
    total++;
    raw[difference]++;
    steps.gcd = std::gcd(steps.gcd, difference);
  }
  if (total == 0) return steps;
  steps.smallest = raw.begin()->first;
  Counts scaled;
  for (const auto& [difference, count] : raw) scaled[difference / steps.gcd] += count;
  steps.granularity = steps.gcd * LargestStep(scaled, total);
  return steps;
}

}  // namespace tscope::clock
