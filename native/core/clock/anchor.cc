#include "tscope/clock/anchor.h"

#include <algorithm>
#include <cmath>

namespace tscope::clock {

Drift CheckAnchors(const Point& start, const Point& end, double ns_per_tick) {
  Drift d{};
  d.elapsed_ns = end.ns - start.ns;
  d.drift_ns = (end.ticks - start.ticks) * ns_per_tick - d.elapsed_ns;
  d.ppm = d.elapsed_ns > 0 ? d.drift_ns / d.elapsed_ns * 1e6 : 0;
  const double limit =
      std::max(1000.0, 50e-6 * std::fabs(d.elapsed_ns)) + (start.width_ns + end.width_ns) / 2;
  d.discontinuity = !(std::fabs(d.drift_ns) <= limit);
  return d;
}

}  // namespace tscope::clock
