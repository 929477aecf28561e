#include "tscope/histogram/recorder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace tscope::histogram;

TEST_CASE("an empty recorder says nothing") {
  const Snapshot snapshot = Recorder().Take();
  CHECK(snapshot.total == 0);
  CHECK(snapshot.min == 0);
  CHECK(snapshot.max == 0);
  CHECK(snapshot.ValueAt(50) == 0);
  CHECK(snapshot.counts.empty());
}

TEST_CASE("counts, extremes, sum and percentiles") {
  Recorder recorder;
  for (uint64_t v = 1; v <= 100; v++) recorder.Record(v);
  recorder.RecordMany(1'000'000, 2);
  const Snapshot snapshot = recorder.Take();
  CHECK(snapshot.total == 102);
  CHECK(snapshot.min == 1);
  CHECK(snapshot.max == 1'000'000);
  CHECK(snapshot.sum == 5'050 + 2'000'000);
  CHECK(snapshot.ValueAt(0) == 1);
  CHECK(snapshot.ValueAt(50) == 51);
  CHECK(snapshot.ValueAt(100) == 1'000'000);
  CHECK(snapshot.counts[IndexOf(1'000'000)] == 2);
  recorder.Reset();
  CHECK(recorder.Take().total == 0);
  CHECK(recorder.Take().max == 0);
}

TEST_CASE("values beyond the range are counted in the last bucket and told apart") {
  Recorder recorder;
  recorder.Record(kMaxValue);
  recorder.Record(kMaxValue + 1);
  recorder.Record(UINT64_MAX);
  const Snapshot snapshot = recorder.Take();
  CHECK(snapshot.total == 3);
  CHECK(snapshot.over == 2);
  CHECK(snapshot.max == kMaxValue);
  CHECK(snapshot.counts[kBuckets - 1] == 3);
}

TEST_CASE("snapshots during recording are consistent and lose nothing in the end") {
  Recorder recorder;
  std::atomic<bool> done{false};
  constexpr uint64_t kValues = 300'000;
  std::thread writer([&] {
    for (uint64_t i = 0; i < kValues; i++) recorder.Record(i & 0xffff);
    done.store(true);
  });
  uint64_t last = 0;
  while (!done.load()) {
    const Snapshot snapshot = recorder.Take();
    REQUIRE(snapshot.total >= last);
    REQUIRE(snapshot.total <= kValues);
    last = snapshot.total;
  }
  writer.join();
  CHECK(recorder.Take().total == kValues);
}
