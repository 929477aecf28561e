// Frequency of a counter from (kernel clock, counter) points: arithmetic only, no machine.
#pragma once

#include <cstddef>
#include <vector>

namespace tscope::clock {

// One reading of counter between two readings of the kernel clock.
struct Point {
  double ns;        // midpoint of the two clock readings
  double ticks;     // counter in between
  double width_ns;  // distance of the two: twice the largest possible error of `ns`
};

struct Fit {
  bool valid;           // false: fewer than 3 usable points or no spread in time; the rest is 0
  double ticks_per_ns;  // slope
  double se_ppm;        // standard error of the slope predicted from the residuals
  double sd_ppm;  // spread of the slopes of `parts` stretches of the window, over sqrt(parts); 0 if parts < 2
  double residual_ns;      // root mean square distance of the points from the line
  double max_residual_ns;  // largest
  size_t used;
  size_t dropped;  // points whose bracket was wider than twice the median (the thread was interrupted inside)
};

// Least squares of ticks on ns. The points are also fitted in `parts` equal stretches of the window, which
// shows drift and noise that the residuals alone do not (measured: for windows of 5 ms the spread is twice
// the predicted error).
Fit FitPoints(const std::vector<Point>& points, size_t parts);

}  // namespace tscope::clock
