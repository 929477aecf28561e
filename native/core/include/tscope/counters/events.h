// Events that can be counted, by name. Numbers are those of the Linux perf_event interface, which never
// change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tscope::counters {

struct Event {
  const char* name;
  uint32_t type;    // PERF_TYPE_*: 0 hardware, 1 software, 3 hardware cache
  uint64_t config;  // PERF_COUNT_*
  // Happens inside the kernel even for work a thread asked for. Counted with the kernel excluded such an
  // event opens without complaint and stays 0 (measured: 0 context switches over 20 sleeps, against 21), so
  // it is never opened that way.
  bool in_kernel;
  bool hardware() const { return type != 1; }
};

// nullptr for an unknown name.
const Event* FindEvent(const char* name);

// All events; `count` gets how many.
const Event* AllEvents(size_t* count);

}  // namespace tscope::counters
