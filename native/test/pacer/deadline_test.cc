#include "tscope/pacer/deadline.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace tscope::pacer;
using tscope::thread::kAnyCpu;
using tscope::thread::LoadWord;

namespace {

struct Timer {
  explicit Timer(double spin_ns = 0) {
    const double scale = 1 / tscope::clock::Calibrate(5, 21, 4).ticks_per_ns;
    time = tscope::thread::TimeBase::Of(false, scale);
    tscope::thread::Refusal refusal;
    deadline = Deadline::Start(
        &block, time, {kAnyCpu, kAnyCpu, false}, spin_ns, [this] { done.fetch_add(1); }, &refusal);
    REQUIRE(deadline != nullptr);
  }
  double Now() const { return time.NsSinceBase(time.Now()); }
  bool raised() const { return LoadWord(&block.raised) != 0; }
  /// Raised within 5 s?
  bool Wait() const {
    const double limit = Now() + 5e9;
    while (!raised() && Now() < limit) std::this_thread::yield();
    return raised();
  }
  DeadlineBlock block{};
  tscope::thread::TimeBase time;
  std::atomic<int> done{0};
  std::unique_ptr<Deadline> deadline;
};

void Sleep(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

}  // namespace

TEST_CASE("raised after its time, never before, again and again") {
  for (const double spin : {0.0, 100e3}) {
    Timer timer(spin);
    for (int i = 0; i < 20; i++) {
      const double at = timer.Now() + 500e3;
      timer.deadline->Arm(at);
      CHECK_FALSE((timer.raised() && timer.Now() < at));
      REQUIRE(timer.Wait());
      CHECK(timer.block.planned_ns == at);
      CHECK(timer.block.raised_ns >= at - 1);
      CHECK(timer.block.raised_ns <= timer.Now());
    }
  }
}

TEST_CASE("a time that has passed is raised at once; arming lowers the flag") {
  Timer timer;
  timer.deadline->Arm(0);
  REQUIRE(timer.Wait());
  timer.deadline->Arm(timer.Now() + 3'600e9);
  CHECK_FALSE(timer.raised());
}

TEST_CASE("a deadline that was moved or taken back does not come") {
  Timer timer;
  timer.deadline->Arm(timer.Now() + 20e6);
  timer.deadline->Disarm();
  Sleep(40);
  CHECK_FALSE(timer.raised());
  timer.deadline->Arm(timer.Now() + 20e6);
  timer.deadline->Arm(timer.Now() + 3'600e9);
  Sleep(40);
  CHECK_FALSE(timer.raised());
}

TEST_CASE("ends while armed, and says so once") {
  Timer timer;
  timer.deadline->Arm(timer.Now() + 3'600e9);
  timer.deadline->RequestStop();
  timer.deadline->Join();
  CHECK(timer.done.load() == 1);
  CHECK_FALSE(timer.raised());
}
