#include "tscope/pacer/pacer.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

using namespace tscope::pacer;
using tscope::thread::LoadWord;
using tscope::thread::StoreWord;

namespace {

/// Memory and the consumer's side of a ring.
struct Consumer {
  explicit Consumer(uint32_t capacity)
      : capacity(capacity), block(RingBytes(capacity) / sizeof(double), 0.0) {}
  int32_t* words() { return reinterpret_cast<int32_t*>(block.data()); }
  double* slots() { return block.data() + kControlWords * sizeof(int32_t) / sizeof(double); }
  uint32_t size() {
    return static_cast<uint32_t>(LoadWord(words() + kHead)) -
           static_cast<uint32_t>(LoadWord(words() + kTail));
  }
  bool Read(double* sequence, double* planned, double* released) {
    if (size() == 0) return false;
    const auto tail = static_cast<uint32_t>(LoadWord(words() + kTail));
    const double* slot = slots() + size_t{tail & (capacity - 1)} * kSlotDoubles;
    *sequence = slot[0];
    *planned = slot[1];
    *released = slot[2];
    StoreWord(words() + kTail, static_cast<int32_t>(tail + 1));
    return true;
  }
  uint32_t capacity;
  std::vector<double> block;
};

double NsPerTick() {
  static const double scale = 1 / tscope::clock::Calibrate(20, 41, 4).ticks_per_ns;
  return scale;
}

Config Plan(Consumer& consumer, size_t n, double gap_ns) {
  Config config;
  config.time = tscope::thread::TimeBase::Of(false, NsPerTick());
  for (size_t i = 0; i < n; i++) config.plan.push_back(static_cast<double>(i) * gap_ns);
  config.t0_ns = std::nan("");
  config.block = consumer.block.data();
  config.capacity = consumer.capacity;
  return config;
}

}  // namespace

TEST_CASE("a ring hands over in order, counts what does not fit, and goes on") {
  Consumer consumer(4);
  RingWriter writer(consumer.block.data(), 4);
  for (int i = 0; i < 6; i++) CHECK(writer.Push(i, 10 * i, 10 * i + 1) == (i < 4));
  CHECK(writer.overflow() == 2);
  CHECK(LoadWord(consumer.words() + kOverflow) == 2);
  double sequence, planned, released;
  REQUIRE(consumer.Read(&sequence, &planned, &released));
  CHECK(sequence == 0);
  CHECK(writer.Push(6, 60, 61));
  CHECK(consumer.slots()[3] == 3);  // found three entries when it came
  for (const int expected : {1, 2, 3, 6}) {
    REQUIRE(consumer.Read(&sequence, &planned, &released));
    CHECK(sequence == expected);
    CHECK(planned == 10 * expected);
    CHECK(released == 10 * expected + 1);
  }
  CHECK_FALSE(consumer.Read(&sequence, &planned, &released));
}

TEST_CASE("indexes wrap at 2^32") {
  Consumer consumer(2);
  RingWriter writer(consumer.block.data(), 2);
  double sequence, planned, released;
  for (int i = 0; i < 1'000; i++) {
    REQUIRE(writer.Push(i, 0, 0));
    REQUIRE(consumer.Read(&sequence, &planned, &released));
    REQUIRE(sequence == i);
  }
}

TEST_CASE("a sleeping consumer is seen once") {
  Consumer consumer(2);
  RingWriter writer(consumer.block.data(), 2);
  CHECK_FALSE(writer.TakeWaiting());
  StoreWord(consumer.words() + kWaiting, 1);
  CHECK(writer.TakeWaiting());
  CHECK_FALSE(writer.TakeWaiting());
}

TEST_CASE("the whole plan is released in order, never early, while another thread reads") {
  constexpr size_t kEntries = 2'000;
  Consumer consumer(64);
  Config config = Plan(consumer, kEntries, 20'000);
  std::atomic<int> done{0};
  tscope::thread::Refusal refusal;
  auto pacer = Pacer::Start(
      std::move(config), [] {}, [&] { done.fetch_add(1); }, &refusal);
  REQUIRE(pacer != nullptr);
  const double t0 = pacer->t0_ns();
  size_t read = 0;
  double last = -1, sequence, planned, released;
  for (;;) {
    const bool ended = LoadWord(consumer.words() + kState) != 0;
    while (consumer.Read(&sequence, &planned, &released)) {
      REQUIRE(sequence > last);
      last = sequence;
      REQUIRE(planned == t0 + sequence * 20'000);
      REQUIRE(released >= planned);
      read++;
    }
    if (ended) break;
  }
  pacer->Join();
  const Result& result = pacer->result();
  CHECK(done.load() == 1);
  CHECK_FALSE(result.stopped);
  CHECK(result.released == kEntries);
  CHECK(read + result.overflow == kEntries);
  CHECK(result.lateness.total == kEntries);
  CHECK(LoadWord(consumer.words() + kState) == static_cast<int32_t>(RingState::kExhausted));
}

TEST_CASE("nobody reads: everything else is counted, and the pacer is not held up") {
  Consumer consumer(16);
  tscope::thread::Refusal refusal;
  auto pacer = Pacer::Start(
      Plan(consumer, 100, 10'000), [] {}, [] {}, &refusal);
  REQUIRE(pacer != nullptr);
  pacer->Join();
  CHECK(pacer->result().released == 100);
  CHECK(pacer->result().overflow == 84);
}

TEST_CASE("stop ends a long sleep at once") {
  Consumer consumer(16);
  Config config = Plan(consumer, 2, 3'600e9);
  tscope::thread::Refusal refusal;
  auto pacer = Pacer::Start(
      std::move(config), [] {}, [] {}, &refusal);
  REQUIRE(pacer != nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pacer->RequestStop();
  pacer->Join();
  CHECK(pacer->result().stopped);
  CHECK(pacer->result().released <= 1);
  CHECK(LoadWord(consumer.words() + kState) == static_cast<int32_t>(RingState::kStopped));
}

TEST_CASE("a consumer that waits is woken by every release and by the end") {
  Consumer consumer(16);
  std::atomic<int> wakes{0};
  tscope::thread::Refusal refusal;
  auto wake = [&] {
    wakes.fetch_add(1);
    StoreWord(consumer.words() + kWaiting, 1);
  };
  StoreWord(consumer.words() + kWaiting, 1);
  auto pacer = Pacer::Start(
      Plan(consumer, 10, 10'000), wake, [] {}, &refusal);
  REQUIRE(pacer != nullptr);
  pacer->Join();
  CHECK(wakes.load() == 11);
  CHECK(pacer->result().wakes == 11);
}

TEST_CASE("many short lives") {
  for (int i = 0; i < 300; i++) {
    Consumer consumer(16);
    std::atomic<int> done{0};
    tscope::thread::Refusal refusal;
    auto pacer = Pacer::Start(
        Plan(consumer, 3, 1e6), [] {}, [&] { done.fetch_add(1); }, &refusal);
    REQUIRE(pacer != nullptr);
    pacer.reset();
    CHECK(done.load() == 1);
  }
}
