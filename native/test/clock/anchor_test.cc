#include "tscope/clock/anchor.h"

#include <doctest/doctest.h>

#include <limits>

using tscope::clock::CheckAnchors;

TEST_CASE("no drift") {
  const auto d = CheckAnchors({0, 0, 40}, {1e9, 2e9, 40}, 0.5);
  CHECK(d.elapsed_ns == 1e9);
  CHECK(d.drift_ns == 0);
  CHECK(d.ppm == 0);
  CHECK_FALSE(d.discontinuity);
}

TEST_CASE("over a short time 1 us and the brackets are allowed, not more") {
  CHECK_FALSE(CheckAnchors({0, 0, 40}, {1e6, 2e6 + 2 * 1039, 40}, 0.5).discontinuity);
  CHECK(CheckAnchors({0, 0, 40}, {1e6, 2e6 + 2 * 1041, 40}, 0.5).discontinuity);
  CHECK(CheckAnchors({0, 0, 40}, {1e6, 2e6 - 2 * 1041, 40}, 0.5).discontinuity);
  // A bracket in which the thread was interrupted leaves its width open.
  CHECK_FALSE(CheckAnchors({0, 0, 40}, {1e6, 2e6 + 2 * 3000, 6000}, 0.5).discontinuity);
}

TEST_CASE("over a long time 50 ppm are") {
  const auto below = CheckAnchors({0, 0, 0}, {1e9, (1e9 + 49e3) * 2, 0}, 0.5);
  CHECK(below.ppm == doctest::Approx(49));
  CHECK_FALSE(below.discontinuity);
  CHECK(CheckAnchors({0, 0, 0}, {1e9, (1e9 + 51e3) * 2, 0}, 0.5).discontinuity);
}

TEST_CASE("a drift that is not a number is a discontinuity") {
  CHECK(CheckAnchors({0, 0, 0}, {1e9, std::numeric_limits<double>::quiet_NaN(), 0}, 0.5).discontinuity);
}

TEST_CASE("nothing elapsed") { CHECK(CheckAnchors({5, 5, 0}, {5, 5, 0}, 1).ppm == 0); }
