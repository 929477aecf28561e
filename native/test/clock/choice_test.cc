#include <doctest/doctest.h>

#include <cstring>

#include "tscope/clock/clock.h"

using namespace tscope::clock;

namespace {

CounterEvidence Good() {
  CounterEvidence e{};
  e.exists = e.allowed = true;
  e.steps.granularity = e.steps.gcd = e.steps.smallest = 21;
  e.read_ns = 11;
  e.kernel_read_ns = 28;
  return e;
}

bool Says(const CounterEvidence& e, const char* part) {
  const char* reason = WhyNotCounter(e);
  return reason != nullptr && std::strstr(reason, part) != nullptr;
}

}  // namespace

TEST_CASE("a counter that is there, allowed, moves forward and is cheap is used") {
  CHECK(WhyNotCounter(Good()) == nullptr);
}

TEST_CASE("each fault names itself") {
  CounterEvidence e = Good();
  e.exists = e.allowed = false;
  CHECK(Says(e, "no cycle counter"));
  e = Good();
  e.allowed = false;
  CHECK(Says(e, "forbids"));
  e = Good();
  e.steps.backward = 1;
  CHECK(Says(e, "went back"));
  e = Good();
  e.steps = {};
  CHECK(Says(e, "does not move"));
  e = Good();
  e.read_ns = 1200;
  CHECK(Says(e, "trapped"));
  e.read_ns = e.kernel_read_ns;
  CHECK(Says(e, "trapped"));
}
