#include "tscope/counters/events.h"

#include <cstring>

namespace tscope::counters {

namespace {

constexpr uint32_t kHardware = 0;
constexpr uint32_t kSoftware = 1;
constexpr uint32_t kCache = 3;

// Cache events: which cache, 0 = reads, 0 = accesses or 1 = misses.
constexpr uint64_t Reads(uint64_t cache, uint64_t miss) { return cache | miss << 16; }

constexpr Event kEvents[] = {
    {"cycles", kHardware, 0, false},
    {"instructions", kHardware, 1, false},
    {"cache-references", kHardware, 2, false},
    {"cache-misses", kHardware, 3, false},
    {"branches", kHardware, 4, false},
    {"branch-misses", kHardware, 5, false},
    {"stalled-cycles-frontend", kHardware, 7, false},
    {"stalled-cycles-backend", kHardware, 8, false},
    {"ref-cycles", kHardware, 9, false},
    {"L1-dcache-loads", kCache, Reads(0, 0), false},
    {"L1-dcache-load-misses", kCache, Reads(0, 1), false},
    {"L1-icache-load-misses", kCache, Reads(1, 1), false},
    {"LLC-loads", kCache, Reads(2, 0), false},
    {"LLC-load-misses", kCache, Reads(2, 1), false},
    {"dTLB-load-misses", kCache, Reads(3, 1), false},
    {"iTLB-load-misses", kCache, Reads(4, 1), false},
    {"cpu-clock", kSoftware, 0, false},
    {"task-clock", kSoftware, 1, false},
    {"page-faults", kSoftware, 2, false},
    {"context-switches", kSoftware, 3, true},
    {"cpu-migrations", kSoftware, 4, true},
    {"minor-faults", kSoftware, 5, false},
    {"major-faults", kSoftware, 6, false},
    {"alignment-faults", kSoftware, 7, false},
    {"emulation-faults", kSoftware, 8, false},
};

}  // namespace

const Event* FindEvent(const char* name) {
  for (const Event& event : kEvents) {
    if (std::strcmp(event.name, name) == 0) return &event;
  }
  return nullptr;
}

const Event* AllEvents(size_t* count) {
  *count = sizeof kEvents / sizeof kEvents[0];
  return kEvents;
}

}  // namespace tscope::counters
