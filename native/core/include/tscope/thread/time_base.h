// The process's time line as native threads see it: the counter (or the kernel clock), the base all
// environments count from, and the scale that the caller fitted. ns since the base here are the ns of
// JavaScript's clock.
#pragma once

#include <cmath>
#include <cstdint>

#include "tscope/clock/clock.h"
#include "tscope/clock/counter.h"
#include "tscope/clock/kernel_clock.h"

namespace tscope::thread {

struct TimeBase {
  /// Count with the kernel clock (1 tick = 1 ns) instead of the cycle counter.
  bool kernel = true;
  double ns_per_tick = 1;
  uint64_t base = 0;

  static TimeBase Of(bool kernel, double ns_per_tick) {
    const clock::Setup& setup = clock::GetSetup();
    const bool use_kernel = kernel || setup.source == clock::Source::kKernel;
    return use_kernel ? TimeBase{true, 1, static_cast<uint64_t>(setup.kernel_base)}
                      : TimeBase{false, ns_per_tick, setup.base};
  }

  uint64_t Now() const { return kernel ? static_cast<uint64_t>(clock::KernelNs()) : clock::ReadCounter(); }
  double NsSinceBase(uint64_t tick) const {
    return static_cast<double>(static_cast<int64_t>(tick - base)) * ns_per_tick;
  }
  /// The first tick that is not before `ns_since_base`: with a coarse counter (41.7 ns on some arm64)
  /// rounding down would be early by up to a tick.
  uint64_t TickAt(double ns_since_base) const {
    const uint64_t tick =
        base + static_cast<uint64_t>(static_cast<int64_t>(std::ceil(ns_since_base / ns_per_tick)));
    // The quotient is rounded and can come out just below a whole number.
    return NsSinceBase(tick) < ns_since_base ? tick + 1 : tick;
  }
  double ToNs(uint64_t ticks) const { return static_cast<double>(ticks) * ns_per_tick; }
  uint64_t ToTicks(double ns) const { return static_cast<uint64_t>(ns / ns_per_tick); }
};

}  // namespace tscope::thread
