#ifndef __linux__
#include <cerrno>

#include "tscope/cpu/priority.h"

namespace tscope::cpu {

int GetPriority(int, Priority*) { return ENOTSUP; }
int SetPriority(int, const Priority&) { return ENOTSUP; }
void RealtimeLimit(int64_t* runtime_us, int64_t* period_us) { *runtime_us = *period_us = -1; }
int LockMemory(const LockOptions&) { return ENOTSUP; }
int UnlockMemory() { return ENOTSUP; }
int GetTimerSlack(int64_t*) { return ENOTSUP; }
int SetTimerSlack(int64_t) { return ENOTSUP; }

}  // namespace tscope::cpu
#endif
