#include "tscope/clock/probe.h"

#include <doctest/doctest.h>

#include "tscope/clock/features.h"

using namespace tscope::clock;

TEST_CASE("what CPUID advertises works; unknown names are unknown") {
  CHECK(ProbeInstruction("no-such") == Probe::kUnknown);
#if defined(__x86_64__) && defined(__linux__)
  if (GetFeatures().rdtscp) CHECK(ProbeInstruction("rdtscp") == Probe::kWorks);
  CHECK(ProbeInstruction("rdtscp") != Probe::kUnknown);
  CHECK(ProbeInstruction("rdpmc") != Probe::kUnknown);
#endif
}
