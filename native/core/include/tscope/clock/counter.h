// The cycle counter of this architecture, read inline. Nothing here decides whether it may be used: ask
// CounterUsable() in features.h first, because a kernel can forbid the instruction.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#define TSCOPE_COUNTER_TSC 1
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <x86intrin.h>
#endif
#elif defined(__aarch64__)
#define TSCOPE_COUNTER_CNTVCT 1
#endif

namespace tscope::clock {

#if defined(TSCOPE_COUNTER_TSC)

inline uint64_t ReadCounter() { return __rdtsc(); }

// Fenced on both sides: earlier instructions have finished, later ones have not started. For both ends of a
// single shot; for batches of a microsecond and more the plain read is right, the fences cost more than they
// save.
inline uint64_t ReadCounterOrdered() {
  _mm_lfence();
  const uint64_t tick = __rdtsc();
  _mm_lfence();
  return tick;
}

#elif defined(TSCOPE_COUNTER_CNTVCT)

inline uint64_t ReadCounter() {
  uint64_t tick;
  asm volatile("mrs %0, cntvct_el0" : "=r"(tick));
  return tick;
}

// isb before: cntvct_el0 may be read early otherwise. isb after: later instructions wait for the read.
inline uint64_t ReadCounterOrdered() {
  uint64_t tick;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(tick) : : "memory");
  return tick;
}

#else

inline uint64_t ReadCounter() { return 0; }
inline uint64_t ReadCounterOrdered() { return 0; }

#endif

}  // namespace tscope::clock
