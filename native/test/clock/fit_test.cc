#include "tscope/clock/fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using tscope::clock::Fit;
using tscope::clock::FitPoints;
using tscope::clock::Point;

namespace {

// Points of a counter of `hz` against the kernel clock, with a repeatable error of up to +-noise ns.
std::vector<Point> Line(double hz, size_t n, double step_ns, double noise_ns, double start = 0) {
  std::vector<Point> points;
  uint32_t random = 1;
  for (size_t i = 0; i < n; i++) {
    random = random * 1664525u + 1013904223u;
    const double ns = start + static_cast<double>(i) * step_ns;
    const double error = (static_cast<double>(random) / 4294967295.0 - 0.5) * 2 * noise_ns;
    points.push_back({ns + error, ns * hz / 1e9, 40});
  }
  return points;
}

}  // namespace

TEST_CASE("an exact line gives the frequency, no error and no residual") {
  const Fit fit = FitPoints(Line(2.1e9, 41, 5e5, 0), 4);
  CHECK(fit.valid);
  CHECK(fit.ticks_per_ns == doctest::Approx(2.1).epsilon(1e-12));
  CHECK(fit.se_ppm < 1e-6);
  CHECK(fit.sd_ppm < 1e-6);
  CHECK(fit.used == 41);
  CHECK(fit.dropped == 0);
}

TEST_CASE("far from zero the digits stay") {
  // 50 days after the base.
  const Fit fit = FitPoints(Line(3e9, 41, 5e5, 0, 50 * 86400e9), 4);
  CHECK(fit.ticks_per_ns == doctest::Approx(3.0).epsilon(1e-7));
}

TEST_CASE(
    "noise: the true frequency lies within a few predicted errors, and the parts agree about its size") {
  const Fit fit = FitPoints(Line(2.5e9, 401, 5e4, 20), 4);
  CHECK(fit.valid);
  const double error_ppm = std::fabs(fit.ticks_per_ns / 2.5 - 1) * 1e6;
  CHECK(error_ppm < 4 * fit.se_ppm);
  CHECK(fit.se_ppm > 0);
  // Uniform noise of +-20 ns has a standard deviation of 20/sqrt(3).
  CHECK(fit.residual_ns == doctest::Approx(20 / std::sqrt(3.0)).epsilon(0.1));
  CHECK(fit.max_residual_ns < 25);
  CHECK(fit.sd_ppm > fit.se_ppm / 5);
}

TEST_CASE("a counter that changes its rate in the middle shows in the parts and in the residuals") {
  std::vector<Point> points = Line(2e9, 41, 5e5, 0);
  for (size_t i = 21; i < points.size(); i++)
    points[i].ticks += (points[i].ns - points[20].ns) * 2 * 1e-3;  // 1000 ppm
  const Fit fit = FitPoints(points, 4);
  CHECK(fit.sd_ppm > 100);
  CHECK(fit.residual_ns > 500);
}

TEST_CASE("points with a wide bracket are dropped and counted") {
  std::vector<Point> points = Line(2e9, 41, 5e5, 0);
  points[7].width_ns = 5000;
  points[7].ns += 2400;
  const Fit fit = FitPoints(points, 4);
  CHECK(fit.dropped == 1);
  CHECK(fit.ticks_per_ns == doctest::Approx(2.0).epsilon(1e-12));
}

TEST_CASE("too little to fit is not a number") {
  CHECK_FALSE(FitPoints({}, 4).valid);
  CHECK_FALSE(FitPoints(Line(2e9, 2, 1e6, 0), 4).valid);
  CHECK_FALSE(FitPoints({{5, 1, 1}, {5, 2, 1}, {5, 3, 1}}, 4).valid);      // no spread in time
  CHECK_FALSE(FitPoints({{0, 5, 1}, {1e6, 5, 1}, {2e6, 5, 1}}, 4).valid);  // a counter that stands still
  CHECK_FALSE(FitPoints({{0, 9, 1}, {1e6, 5, 1}, {2e6, 1, 1}}, 4).valid);  // that runs backwards
  const Fit none = FitPoints({}, 4);
  CHECK(none.ticks_per_ns == 0);
}
