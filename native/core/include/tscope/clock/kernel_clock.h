// The kernel's clock that no time daemon bends: CLOCK_MONOTONIC_RAW on Linux and macOS,
// QueryPerformanceCounter on Windows.
#pragma once

#include <cstdint>

namespace tscope::clock {

// ns since an arbitrary start; never goes back.
int64_t KernelNs();

// Wall clock, ns since 1970; may jump.
int64_t WallNs();

// For reports: "monotonic-raw", "qpc" or "monotonic".
const char* KernelClockName();

// CPU the calling thread runs on now, -1 where the system does not say.
int CurrentCpu();

// Sleeps for about `ns` (at least; the scheduler decides how much longer).
void SleepNs(int64_t ns);

}  // namespace tscope::clock
