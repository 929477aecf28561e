// How long this process lives. Returns 0 or an errno value; ENOTSUP off Linux.
#pragma once

namespace tscope::cpu {

// The kernel kills this process (SIGKILL) as soon as the thread that started it ends, however it ends. It
// holds for this process only, not for what it starts. A parent that ended before the call is not noticed.
int EndWithParent();

}  // namespace tscope::cpu
