#include "tscope/counters/reading.h"

#include <limits>

namespace tscope::counters {

bool ParseSample(const uint64_t* words, size_t n_words, const uint64_t* ids, size_t n_events, Sample* out) {
  if (n_events > kMaxEvents || n_words != SampleWords(n_events) || words[0] != n_events) return false;
  Sample sample;
  sample.enabled_ns = words[1];
  sample.running_ns = words[2];
  for (size_t event = 0; event < n_events; event++) {
    size_t at = 0;
    while (at < n_events && words[4 + 2 * at] != ids[event]) at++;
    if (at == n_events) return false;
    sample.counts[event] = words[3 + 2 * at];
  }
  *out = sample;
  return true;
}

Delta Difference(const Sample& before, const Sample& after, size_t n_events) {
  Delta delta;
  const uint64_t enabled = after.enabled_ns - before.enabled_ns;
  const uint64_t running = after.running_ns - before.running_ns;
  delta.enabled_ns = static_cast<double>(enabled);
  delta.running_ns = static_cast<double>(running);
  delta.multiplexed = running < enabled;
  for (size_t event = 0; event < n_events && event < kMaxEvents; event++) {
    const double count = static_cast<double>(after.counts[event] - before.counts[event]);
    if (!delta.multiplexed) {
      delta.counts[event] = count;
    } else if (running == 0) {
      delta.counts[event] = std::numeric_limits<double>::quiet_NaN();
    } else {
      delta.counts[event] = count * (delta.enabled_ns / delta.running_ns);
    }
  }
  return delta;
}

}  // namespace tscope::counters
