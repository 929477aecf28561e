#include "tscope/cpu/affinity.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <thread>

using namespace tscope::cpu;

#ifdef __linux__
TEST_CASE("pin the calling thread and back") {
  std::vector<int> before;
  REQUIRE(GetAffinity(0, &before) == 0);
  REQUIRE_FALSE(before.empty());
  const int last = before.back();
  CHECK(SetAffinity(0, {last}) == 0);
  std::vector<int> now;
  CHECK(GetAffinity(0, &now) == 0);
  CHECK(now == std::vector<int>{last});
  CHECK(CurrentCpu() == last);
  CHECK(SetAffinity(0, before) == 0);
}

TEST_CASE("a mixed set with an absent CPU is refused as a whole") {
  std::vector<int> before;
  std::vector<int> after;
  REQUIRE(GetAffinity(0, &before) == 0);
  CHECK(SetAffinity(0, {before[0], 8000}) == EINVAL);
  CHECK(SetAffinity(0, {8000}) == EINVAL);
  CHECK(SetAffinity(0, {}) == EINVAL);
  CHECK(SetAffinity(0, {-1}) == EINVAL);
  CHECK(GetAffinity(0, &after) == 0);
  CHECK(after == before);
}

TEST_CASE("other threads are moved, the exceptions and the caller are not") {
  std::vector<int> before;
  REQUIRE(GetAffinity(0, &before) == 0);
  if (before.size() < 2) return;
  std::atomic<int> tids[2] = {{0}, {0}};
  std::atomic<bool> done{false};
  const auto work = [&](int i) {
    tids[i] = ThreadId();
    while (!done) std::this_thread::yield();
  };
  std::thread spared(work, 0);
  std::thread other(work, 1);
  while (tids[0] == 0 || tids[1] == 0) std::this_thread::yield();
  std::vector<Moved> moved;
  CHECK(MoveThreads(0, {before[0]}, {ThreadId(), tids[0]}, &moved) == 0);
  std::vector<int> cpus;
  CHECK(GetAffinity(tids[1], &cpus) == 0);
  CHECK(cpus == std::vector<int>{before[0]});
  CHECK(GetAffinity(tids[0], &cpus) == 0);
  CHECK(cpus == before);
  bool listed = false;
  for (const Moved& m : moved) listed = listed || (m.tid == tids[1] && m.cpus == before);
  CHECK(listed);
  CHECK(MoveThreads(0, {8000}, {ThreadId()}, &moved) == EINVAL);
  done = true;
  spared.join();
  other.join();
}

TEST_CASE("usage only grows") {
  Usage a;
  Usage b;
  REQUIRE(ThreadUsage(&a) == 0);
  std::vector<char> touched(8 << 20, 1);
  REQUIRE(ThreadUsage(&b) == 0);
  CHECK(touched.back() == 1);
  CHECK(b.minor_faults >= a.minor_faults);
  CHECK(b.cpu_ns >= a.cpu_ns);
}
#else
TEST_CASE("elsewhere it is not supported") {
  std::vector<int> cpus;
  CHECK(GetAffinity(0, &cpus) == ENOTSUP);
}
#endif
