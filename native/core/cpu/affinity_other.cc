// macOS has no hard pinning (affinity tags are hints, and unsupported on Apple silicon); Windows pins by
// group masks that do not map onto these calls. Both answer ENOTSUP rather than something that looks like
// pinning.
#ifndef __linux__
#include <cerrno>

#include "tscope/cpu/affinity.h"

namespace tscope::cpu {

int ThreadId() { return -1; }
int CurrentCpu() { return -1; }
int GetAffinity(int, std::vector<int>*) { return ENOTSUP; }
int SetAffinity(int, const std::vector<int>&) { return ENOTSUP; }
int ListThreads(int, std::vector<Thread>*) { return ENOTSUP; }
int MoveThreads(int, const std::vector<int>&, const std::vector<int>&, std::vector<Moved>*) {
  return ENOTSUP;
}
int ThreadUsage(Usage*) { return ENOTSUP; }

}  // namespace tscope::cpu
#endif
