// Anchors: (counter, kernel clock) pairs taken at the start and end of a run. Two of them tell whether the
// counter kept its scale in between: live migration, suspend and rescaled counters show here and nowhere
// else.
#pragma once

#include "tscope/clock/fit.h"

namespace tscope::clock {

struct Drift {
  double elapsed_ns;   // by the kernel clock
  double drift_ns;     // counter minus kernel clock
  double ppm;          // drift over elapsed; 0 if nothing elapsed
  bool discontinuity;  // |drift| > max(1 us, 50 ppm of elapsed) + what the two brackets leave open
};

// Arithmetic only. `ns_per_tick` > 0.
Drift CheckAnchors(const Point& start, const Point& end, double ns_per_tick);

}  // namespace tscope::clock
