#include "tscope/counters/group.h"

#include <algorithm>

namespace tscope::counters {

int Group::End(Delta* delta) const {
  Sample end;
  if (const int error = Read(&end)) return error;
  *delta = Difference(begin_, end, names_.size());
  return 0;
}

int Group::EmptyBracket(int repeats, Delta* smallest) {
  for (int i = 0; i < repeats; i++) {
    Delta delta;
    if (const int error = Begin()) return error;
    if (const int error = End(&delta)) return error;
    if (i == 0) *smallest = delta;
    smallest->enabled_ns = std::min(smallest->enabled_ns, delta.enabled_ns);
    for (size_t event = 0; event < names_.size(); event++) {
      smallest->counts[event] = std::min(smallest->counts[event], delta.counts[event]);
    }
  }
  return 0;
}

}  // namespace tscope::counters
