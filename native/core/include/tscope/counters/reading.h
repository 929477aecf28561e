// Arithmetic on reads of a counter group. Pure, so that it is tested on recorded reads where there is no PMU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tscope::counters {

inline constexpr size_t kMaxEvents = 16;

// One read of a group: counts in the order the events were opened, and for how long the group was enabled and
// really on the PMU, ns.
struct Sample {
  uint64_t enabled_ns = 0;
  uint64_t running_ns = 0;
  uint64_t counts[kMaxEvents] = {};
};

// Takes a read of format GROUP | ID | TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING apart: { n, enabled, running, {
// count, id }
// * n }. Counts are put in the order of `ids`. False when the words do not hold exactly those events.
bool ParseSample(const uint64_t* words, size_t n_words, const uint64_t* ids, size_t n_events, Sample* out);

// How many words such a read has.
constexpr size_t SampleWords(size_t n_events) { return 3 + 2 * n_events; }

// What happened between two reads. Where the group shared the PMU with others (running < enabled) counts are
// scaled by enabled / running, on the assumption that the time it missed was like the time it saw; if it was
// never on the PMU, counts are NaN. Unsigned differences are right across a wrap.
struct Delta {
  double enabled_ns = 0;
  double running_ns = 0;
  bool multiplexed = false;
  double counts[kMaxEvents] = {};
};
Delta Difference(const Sample& before, const Sample& after, size_t n_events);

}  // namespace tscope::counters
