// The process's clock: which counter it reads, since when it counts, and how it compares with the kernel's
// clock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tscope/clock/fit.h"
#include "tscope/clock/steps.h"

namespace tscope::clock {

enum class Source { kTsc, kCntvct, kKernel };

using ReadFn = uint64_t (*)();

struct Setup {
  Source source;
  const char* name;           // "tsc", "cntvct" or the kernel clock's name
  const char* reason;         // why it is not the counter; nullptr when it is
  uint64_t base;              // subtracted from every reading, so that a double holds it exactly for weeks
  int64_t kernel_base;        // kernel clock at the same time, ns
  double counter_read_ns;     // native cost of one counter reading; 0 if there is no counter
  double kernel_read_ns;      // native cost of one kernel clock reading
  bool counter_monotone;      // no backward step in the readings at set-up
  ReadFn read, read_ordered;  // raw, without the base; for cold code (hot code inlines by source)
};

// What is known about the counter when the source is chosen.
struct CounterEvidence {
  bool exists, allowed;
  Steps steps;
  double read_ns, kernel_read_ns;
};

// Why the kernel clock is to be used instead, as a sentence; nullptr for the counter. Arithmetic only.
const char* WhyNotCounter(const CounterEvidence& evidence);

// Decided once per process, on first use (about 1 ms): the counter if it may be executed, moves, does not go
// back and is cheaper than the kernel clock (a trapped counter costs hundreds of ns); else the kernel clock,
// whose tick is 1 ns.
const Setup& GetSetup();

// Ticks since the base.
double Ticks();
double TicksOrdered();

// The tightest of `tries` brackets (kernel clock, ordered counter, kernel clock), both since the base.
Point TakePoint(int tries);

// Median cost of one call over several batches timed with the kernel clock, ns.
double ReadCostNs(ReadFn read);

// Steps of `n` readings at varied distances (n <= 65536).
Steps MeasureSteps(ReadFn read, size_t n);

// Backward steps among `n` readings, plain and ordered in turn.
size_t CountBackward(size_t n);

// Takes `points` points spread over `ms`, sleeping in between, and fits them. Blocks for `ms`.
Fit Calibrate(double ms, size_t points, size_t parts);

}  // namespace tscope::clock
