#ifndef __linux__
#include <cerrno>

#include "tscope/cpu/lifetime.h"

namespace tscope::cpu {

int EndWithParent() { return ENOTSUP; }

}  // namespace tscope::cpu
#endif
