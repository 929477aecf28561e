#ifdef __linux__
#include <sys/prctl.h>

#include <cerrno>
#include <csignal>

#include "tscope/cpu/lifetime.h"

namespace tscope::cpu {

int EndWithParent() { return prctl(PR_SET_PDEATHSIG, static_cast<unsigned long>(SIGKILL)) == 0 ? 0 : errno; }

}  // namespace tscope::cpu
#endif
