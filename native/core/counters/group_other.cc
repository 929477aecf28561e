// macOS gives counters to root only (kperf, not a public interface); Windows has none for a user's own
// thread.
#ifndef __linux__
#include <cerrno>

#include "tscope/counters/group.h"

namespace tscope::counters {

int Group::Open(const std::vector<std::string>&, const Options&, std::vector<Failure>* failed) {
  failed->clear();
  return ENOTSUP;
}
int Group::Read(Sample*) const { return EBADF; }
void Group::Close() {}

}  // namespace tscope::counters
#endif
