// What readings of a counter say about its real resolution: arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tscope::clock {

struct Steps {
  // The step the counter really makes, in ticks: most differences are multiples of it. 0 if it never moved.
  uint64_t granularity;
  // Greatest common divisor of all differences. Smaller than `granularity` where the hardware rounds a scaled
  // counter or adds a tick so that two readings never agree (measured on a Zen 4 guest: steps of 26 ticks,
  // one reading in 20 off by one).
  uint64_t gcd;
  uint64_t smallest;  // smallest nonzero difference
  size_t backward;    // differences below zero: the counter went back
};

// `ticks`: readings in order, their distances varied by the caller (else a steady loop looks like a coarse
// counter). Backward steps are counted and left out of the rest.
Steps StepsOf(const uint64_t* ticks, size_t n);

}  // namespace tscope::clock
