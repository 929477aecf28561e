#if !defined(__linux__)
#include <errno.h>

#include "tscope/clock/cross_core.h"

namespace tscope::clock {

// macOS cannot pin a thread; on Windows nobody has asked for it yet.
PairResult MeasurePair(int, int, size_t, int64_t) {
  PairResult result{};
  result.error = ENOTSUP;
  return result;
}

}  // namespace tscope::clock
#endif
