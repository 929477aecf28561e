#include "tscope/clock/fit.h"

#include <algorithm>
#include <cmath>

namespace tscope::clock {

namespace {

struct Line {
  bool valid;
  double slope, se, rms, max;
};

Line LeastSquares(const Point* points, size_t n) {
  Line line{};
  if (n < 3) return line;
  double mean_x = 0, mean_y = 0;
  // Relative to the first point: large absolute values would cost digits in the sums.
  const double x0 = points[0].ns, y0 = points[0].ticks;
  for (size_t i = 0; i < n; i++) {
    mean_x += (points[i].ns - x0) / static_cast<double>(n);
    mean_y += (points[i].ticks - y0) / static_cast<double>(n);
  }
  double sxx = 0, sxy = 0;
  for (size_t i = 0; i < n; i++) {
    const double dx = points[i].ns - x0 - mean_x;
    sxx += dx * dx;
    sxy += dx * (points[i].ticks - y0 - mean_y);
  }
  if (!(sxx > 0)) return line;
  line.slope = sxy / sxx;
  if (!(line.slope > 0) || !std::isfinite(line.slope)) return line;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const double r = points[i].ticks - y0 - mean_y - line.slope * (points[i].ns - x0 - mean_x);
    sum += r * r;
    line.max = std::max(line.max, std::fabs(r));
  }
  line.rms = std::sqrt(sum / static_cast<double>(n - 2));
  line.se = line.rms / std::sqrt(sxx);
  line.valid = true;
  return line;
}

// Slopes of equal stretches of the window; their standard deviation over sqrt(count) bounds the error of the
// whole.
double SpreadPpm(const std::vector<Point>& points, size_t parts) {
  if (parts < 2 || points.empty()) return 0;
  const double start = points.front().ns;
  const double stretch = (points.back().ns - start) / static_cast<double>(parts);
  std::vector<double> slopes;
  size_t from = 0;
  for (size_t part = 0; part < parts; part++) {
    size_t to = from;
    const double end = start + stretch * static_cast<double>(part + 1);
    while (to < points.size() && (points[to].ns < end || part + 1 == parts)) to++;
    const Line line = LeastSquares(points.data() + from, to - from);
    if (line.valid) slopes.push_back(line.slope);
    from = to;
  }
  if (slopes.size() < 2) return 0;
  const double n = static_cast<double>(slopes.size());
  double mean = 0, sum = 0;
  for (double s : slopes) mean += s / n;
  for (double s : slopes) sum += (s - mean) * (s - mean);
  return std::sqrt(sum / (n - 1) / n) / mean * 1e6;
}

}  // namespace

Fit FitPoints(const std::vector<Point>& points, size_t parts) {
  Fit fit{};
  if (points.size() < 3) return fit;
  std::vector<double> widths;
  widths.reserve(points.size());
  for (const Point& p : points) widths.push_back(p.width_ns);
  std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2),
                   widths.end());
  const double limit = widths[widths.size() / 2] * 2;
  std::vector<Point> used;
  used.reserve(points.size());
  for (const Point& p : points) {
    if (p.width_ns <= limit) used.push_back(p);
  }
  fit.used = used.size();
  fit.dropped = points.size() - used.size();
  const Line line = LeastSquares(used.data(), used.size());
  if (!line.valid) return fit;
  fit.valid = true;
  fit.ticks_per_ns = line.slope;
  fit.se_ppm = line.se / line.slope * 1e6;
  fit.sd_ppm = SpreadPpm(used, parts);
  fit.residual_ns = line.rms / line.slope;
  fit.max_residual_ns = line.max / line.slope;
  return fit;
}

}  // namespace tscope::clock
