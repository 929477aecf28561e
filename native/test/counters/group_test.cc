#include "tscope/counters/group.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <cmath>
#include <thread>
#include <vector>

#include "tscope/counters/cycles.h"
#include "tscope/counters/events.h"

using namespace tscope::counters;

TEST_CASE("events by name") {
  size_t count = 0;
  const Event* events = AllEvents(&count);
  CHECK(count > 20);
  for (size_t i = 0; i < count; i++) CHECK(FindEvent(events[i].name) == &events[i]);
  CHECK(FindEvent("no-such-event") == nullptr);
  CHECK(FindEvent("cycles")->hardware());
  CHECK(FindEvent("context-switches")->in_kernel);
}

TEST_CASE("misuse and closed groups") {
  Group group;
  std::vector<Failure> failed;
  Sample sample;
  CHECK(group.Read(&sample) == EBADF);
#ifdef __linux__
  CHECK(group.Open({}, Options{}, &failed) == EINVAL);
  CHECK(group.Open(std::vector<std::string>(kMaxEvents + 1, "task-clock"), Options{}, &failed) == E2BIG);
  CHECK(group.Open({"no-such-event"}, Options{}, &failed) == EINVAL);
  REQUIRE(failed.size() == 1);
#endif
}

#ifdef __linux__
// False where the kernel or a sandbox gives no counters at all (emulation, seccomp).
static bool OpenSoftware(Group* group) {
  std::vector<Failure> failed;
  return group->Open({"no-such-event", "task-clock", "page-faults"}, Options{}, &failed) == 0;
}

TEST_CASE("one event that fails leaves the others") {
  Group group;
  if (!OpenSoftware(&group)) return;
  CHECK(group.names() == std::vector<std::string>{"task-clock", "page-faults"});
  REQUIRE(group.Begin() == 0);
  {
    std::vector<char> touched(16 << 20, 1);
    CHECK(touched.back() == 1);
  }
  Delta delta;
  REQUIRE(group.End(&delta) == 0);
  CHECK(delta.counts[0] > 0);
  CHECK(delta.counts[1] >= 1);
  CHECK_FALSE(delta.multiplexed);
  Delta empty;
  REQUIRE(group.EmptyBracket(50, &empty) == 0);
  CHECK(empty.counts[0] < delta.counts[0]);
  CHECK(empty.counts[1] == 0);
}

TEST_CASE("10,000 groups leave no file open") {
  for (int i = 0; i < 10000; i++) {
    Group group;
    if (!OpenSoftware(&group)) return;  // EMFILE would show here
  }
  Group group;
  CHECK(OpenSoftware(&group));
}

TEST_CASE("threads count their own work") {
  Group mine;
  if (!OpenSoftware(&mine)) return;
  REQUIRE(mine.Begin() == 0);
  double theirs = 0;
  std::thread other([&] {
    Group group;
    if (!OpenSoftware(&group) || group.Begin() != 0) return;
    std::vector<char> touched(64 << 20, 1);
    Delta delta;
    if (group.End(&delta) == 0) theirs = delta.counts[1] + touched[0] - 1;
  });
  other.join();
  Delta delta;
  REQUIRE(mine.End(&delta) == 0);
  CHECK(delta.counts[1] < theirs);
}
#endif

TEST_CASE("cycles name their source") {
  CycleCounter counter;
  CHECK(counter.Open(CycleSource::kRdpru, false) == (RdpruAdvertised() ? 0 : EINVAL));
  const int error = counter.Open(CycleSource::kEstimated, false);
#if defined(__x86_64__) || defined(__aarch64__)
  REQUIRE(error == 0);
  CHECK(counter.source() == CycleSource::kEstimated);
  REQUIRE(counter.Begin() == 0);
  Cycles cycles;
  REQUIRE(counter.End(&cycles) == 0);
  CHECK(cycles.ghz > 0);
  CHECK(cycles.cycles > 0);
#else
  CHECK(error == ENOTSUP);
#endif
}
