#include "tscope/jitter/sampler.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tscope/clock/clock.h"

using namespace tscope::jitter;
using tscope::thread::kAnyCpu;

namespace {

double NsPerTick() {
  static const double scale = 1 / tscope::clock::Calibrate(20, 41, 4).ticks_per_ns;
  return tscope::clock::GetSetup().source == tscope::clock::Source::kKernel ? 1 : scale;
}

Config Short(Kind kind, int cpu = kAnyCpu) {
  Config config;
  config.kind = kind;
  config.cpu = cpu;
  config.duration_ns = 60'000'000;
  config.capacity = 256;
  config.time = tscope::thread::TimeBase::Of(false, NsPerTick());
  return config;
}

std::unique_ptr<Sampler> MustStart(const Config& config, std::atomic<int>* done) {
  StartFailure failure;
  auto sampler = Sampler::Start(
      config, [done] { done->fetch_add(1); }, &failure);
  REQUIRE(sampler != nullptr);
  return sampler;
}

#if defined(__linux__)
int AnAllowedCpu() { return tscope::thread::CurrentCpu(); }
#endif

}  // namespace

TEST_CASE("both kinds run to their end and their sums agree") {
  for (const Kind kind : {Kind::kSpin, Kind::kSleep}) {
    std::atomic<int> done{0};
    auto sampler = MustStart(Short(kind), &done);
    sampler->Join();
    CHECK(done.load() == 1);
    const Result& result = sampler->result();
    CHECK_FALSE(result.stopped);
    CHECK(result.turns > 0);
    CHECK(static_cast<double>(result.end - result.start) * NsPerTick() >= 60e6 * 0.999);
    CHECK(result.gaps.size() + result.dropped == result.gap_count);
    uint64_t gaps = 0, lost = 0;
    for (const Tally& tally : result.causes) {
      gaps += tally.gaps;
      lost += tally.lost_ns;
    }
    CHECK(gaps == result.gap_count);
    CHECK(lost == result.lost_ns);
    double seconds = 0;
    for (const double part : result.lost_per_second_ns) seconds += part;
    CHECK(seconds == doctest::Approx(static_cast<double>(result.lost_ns)).epsilon(0.001));
    if (kind == Kind::kSpin) CHECK(result.histogram.total == result.gap_count);
    if (kind == Kind::kSleep) CHECK(result.histogram.total >= result.turns);
    CHECK(result.loop_median_ns >= result.loop_min_ns);
    for (const Gap& gap : result.gaps) CHECK(gap.at >= result.start);
  }
}

TEST_CASE("stop ends a long run early") {
  for (const Kind kind : {Kind::kSpin, Kind::kSleep}) {
    Config config = Short(kind);
    config.duration_ns = kMaxDurationNs;
    std::atomic<int> done{0};
    auto sampler = MustStart(config, &done);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sampler->RequestStop();
    sampler->Join();
    CHECK(done.load() == 1);
    CHECK(sampler->result().stopped);
  }
}

TEST_CASE("a threshold below two turns of the loop is raised, and the result says so") {
  Config config = Short(Kind::kSpin);
  config.threshold_ns = 1;
  std::atomic<int> done{0};
  auto sampler = MustStart(config, &done);
  sampler->Join();
  CHECK(static_cast<double>(sampler->result().threshold_ns) + 1 >= 2 * sampler->result().loop_median_ns);
}

#if defined(__linux__)

TEST_CASE("one sampler per CPU; the CPU is free again when the run has ended") {
  const int cpu = AnAllowedCpu();
  std::atomic<int> done{0};
  auto first = MustStart(Short(Kind::kSleep, cpu), &done);
  StartFailure failure;
  CHECK(Sampler::Start(
            Short(Kind::kSpin, cpu), [] {}, &failure) == nullptr);
  CHECK(failure.busy);
  first->Join();
  auto second = MustStart(Short(Kind::kSleep, cpu), &done);
  second.reset();
  CHECK(done.load() == 2);
}

TEST_CASE("a CPU that does not exist is refused, and is not taken afterwards") {
  for (int i = 0; i < 2; i++) {
    StartFailure failure;
    CHECK(Sampler::Start(
              Short(Kind::kSpin, 8'000), [] {}, &failure) == nullptr);
    CHECK_FALSE(failure.busy);
    CHECK(failure.refusal.step == tscope::thread::Refusal::Step::kPin);
    CHECK(failure.refusal.error == EINVAL);
  }
}

TEST_CASE("the counters of a pinned run were read") {
  std::atomic<int> done{0};
  auto sampler = MustStart(Short(Kind::kSpin, AnAllowedCpu()), &done);
  sampler->Join();
  const Totals& totals = sampler->result().totals;
  CHECK(totals.involuntary.has_value());
  CHECK(totals.voluntary.has_value());
  CHECK(sampler->result().windows >= 1);
}

#endif

TEST_CASE("many short lives") {
  for (int i = 0; i < 200; i++) {
    Config config = Short(i % 2 == 0 ? Kind::kSpin : Kind::kSleep);
    config.duration_ns = 1'000'000;
    std::atomic<int> done{0};
    auto sampler = MustStart(config, &done);
    sampler.reset();
    CHECK(done.load() == 1);
  }
}
