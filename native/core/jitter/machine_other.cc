// macOS and Windows count none of this per thread or CPU in a way a process may read cheaply.
#if !defined(__linux__)

#include "tscope/jitter/machine.h"

namespace tscope::jitter {

Machine::Machine(int cpu, int64_t tid) : cpu_(cpu), tid_(tid) {}

Reading Machine::Read() const { return {}; }

std::optional<Switches> OwnSwitches() { return std::nullopt; }

uint64_t RealTimePause() { return 0; }

}  // namespace tscope::jitter

#endif
