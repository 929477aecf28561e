// One group of counters over the calling thread. Events that cannot be had are left out one by one, with the
// reason. Linux; ENOTSUP elsewhere.
#pragma once

#include <string>
#include <vector>

#include "tscope/counters/reading.h"

namespace tscope::counters {

struct Options {
  bool kernel = false;  // count what the kernel does for the thread, too (needs perf_event_paranoid <= 1 or
                        // CAP_PERFMON)
};

// errno of an event that did not open: ENOENT the machine has no such event (no PMU), EACCES or EPERM not
// allowed (perf_event_paranoid, seccomp), EINVAL unknown name or no room beside the events before it, EMFILE
// too many files.
struct Failure {
  std::string name;
  int error = 0;
};

class Group {
 public:
  Group() = default;
  ~Group() { Close(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Opens what it can and starts counting. 0 when at least one event is open; otherwise the first event's
  // error. E2BIG: more than kMaxEvents names. Counts the thread that calls this, also when read from another
  // one.
  int Open(const std::vector<std::string>& names, const Options& options, std::vector<Failure>* failed);

  // Names in the order of the counts.
  const std::vector<std::string>& names() const { return names_; }

  // Everything since Open. 1 to 2 us; no allocation. EBADF when closed.
  int Read(Sample* sample) const;

  // A bracket: remembers a read; then gives what happened since. Two groups or two sections do not nest in
  // one group.
  int Begin() { return Read(&begin_); }
  int End(Delta* delta) const;

  // Smallest counts of an empty Begin/End over `repeats` tries: what the bracket itself adds.
  int EmptyBracket(int repeats, Delta* smallest);

  void Close();

 private:
  std::vector<std::string> names_;
  std::vector<int> files_;  // the first is the leader
  uint64_t ids_[kMaxEvents] = {};
  Sample begin_;
};

}  // namespace tscope::counters
