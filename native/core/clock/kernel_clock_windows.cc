#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "tscope/clock/kernel_clock.h"

namespace tscope::clock {

namespace {
int64_t Frequency() {
  static const int64_t hz = [] {
    LARGE_INTEGER f;
    QueryPerformanceFrequency(&f);
    return static_cast<int64_t>(f.QuadPart);
  }();
  return hz;
}
}  // namespace

int64_t KernelNs() {
  LARGE_INTEGER count;
  QueryPerformanceCounter(&count);
  const int64_t hz = Frequency();
  // Whole seconds apart, so that the product stays below 2^63 for any uptime.
  return count.QuadPart / hz * 1'000'000'000 + count.QuadPart % hz * 1'000'000'000 / hz;
}

const char* KernelClockName() { return "qpc"; }

int64_t WallNs() {
  FILETIME t;
  GetSystemTimePreciseAsFileTime(&t);
  const int64_t since1601 = (static_cast<int64_t>(t.dwHighDateTime) << 32) | t.dwLowDateTime;
  return (since1601 - 116'444'736'000'000'000) * 100;
}

int CurrentCpu() { return static_cast<int>(GetCurrentProcessorNumber()); }

void SleepNs(int64_t ns) {
  if (ns > 0) Sleep(static_cast<DWORD>((ns + 999'999) / 1'000'000));
}

}  // namespace tscope::clock
#endif
