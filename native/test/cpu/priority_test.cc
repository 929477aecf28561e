#include "tscope/cpu/priority.h"

#include <doctest/doctest.h>

#include <cerrno>

using namespace tscope::cpu;

#ifdef __linux__
TEST_CASE("batch and back") {
  Priority before;
  REQUIRE(GetPriority(0, &before) == 0);
  Priority batch = before;
  batch.policy = Policy::kBatch;
  CHECK(SetPriority(0, batch) == 0);
  Priority now;
  CHECK(GetPriority(0, &now) == 0);
  CHECK(now.policy == Policy::kBatch);
  CHECK(SetPriority(0, before) == 0);
}

TEST_CASE("what cannot be is refused and changes nothing") {
  Priority before;
  Priority after;
  REQUIRE(GetPriority(0, &before) == 0);
  Priority unknown;
  unknown.policy = Policy::kUnknown;
  CHECK(SetPriority(0, unknown) == EINVAL);
  Priority fifo;
  fifo.policy = Policy::kFifo;
  fifo.realtime = 1000;
  CHECK(SetPriority(0, fifo) != 0);
  CHECK(GetPriority(0, &after) == 0);
  CHECK(after.policy == before.policy);
}

TEST_CASE("timer slack") {
  int64_t before = 0;
  REQUIRE(GetTimerSlack(&before) == 0);
  CHECK(SetTimerSlack(1) == 0);
  int64_t now = 0;
  CHECK(GetTimerSlack(&now) == 0);
  CHECK(now == 1);
  CHECK(SetTimerSlack(before) == 0);
}
#else
TEST_CASE("elsewhere it is not supported") {
  Priority priority;
  CHECK(GetPriority(0, &priority) == ENOTSUP);
}
#endif
