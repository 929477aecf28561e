// On the machine at hand: orders and ratios, no absolute times.
#include <doctest/doctest.h>

#include <cmath>

#include "tscope/clock/anchor.h"
#include "tscope/clock/clock.h"
#include "tscope/clock/counter.h"
#include "tscope/clock/features.h"
#include "tscope/clock/kernel_clock.h"

using namespace tscope::clock;

TEST_CASE("the setup is one per process, names its source and gives a reason when it is not the counter") {
  const Setup& s = GetSetup();
  CHECK(&s == &GetSetup());
  CHECK((s.reason == nullptr) == (s.source != Source::kKernel));
  CHECK(s.kernel_read_ns > 0);
  CHECK(Ticks() >= 0);
}

TEST_CASE("readings never go back") {
  double last = Ticks();
  int back = 0;
  for (int i = 0; i < 200'000; i++) {
    const double now = i & 1 ? TicksOrdered() : Ticks();
    if (now < last) back++;
    last = now;
  }
  CHECK(back == 0);
}

TEST_CASE("a point lies inside its bracket") {
  const Point p = TakePoint(20);
  CHECK(p.width_ns >= 0);
  const Point q = TakePoint(20);
  CHECK(q.ns >= p.ns);
  CHECK(q.ticks > p.ticks);
}

TEST_CASE("20 ms fit and a frequency that predicts the next point") {
  if (GetSetup().source == Source::kKernel) return;
  const Fit fit = Calibrate(20, 41, 4);
  REQUIRE(fit.valid);
  CHECK(fit.used > 20);
  const Point start = TakePoint(20);
  SleepNs(50'000'000);
  const Drift drift = CheckAnchors(start, TakePoint(20), 1 / fit.ticks_per_ns);
  CHECK(drift.elapsed_ns >= 49e6);
  CHECK_FALSE(drift.discontinuity);
  const Features& f = GetFeatures();
  if (f.nominal_hz > 0) CHECK(std::fabs(fit.ticks_per_ns * 1e9 / f.nominal_hz - 1) < 0.01);
}

TEST_CASE("calibration refuses what it cannot fit") {
  CHECK_FALSE(Calibrate(std::nan(""), 41, 4).valid);
  CHECK_FALSE(Calibrate(-1, 41, 4).valid);
  CHECK_FALSE(Calibrate(5, 2, 4).valid);
}

TEST_CASE("the granularity divides the frequency into steps no smaller than a tick") {
  const Steps s = MeasureSteps(GetSetup().read, 20'000);
  CHECK(s.backward == 0);
  CHECK(s.granularity >= 1);
  CHECK(s.gcd >= 1);
  CHECK(s.granularity % s.gcd == 0);
}

TEST_CASE("kernel and wall clock move") {
  const int64_t k = KernelNs(), w = WallNs();
  SleepNs(1'000'000);
  CHECK(KernelNs() - k >= 900'000);
  CHECK(WallNs() > w);
}
