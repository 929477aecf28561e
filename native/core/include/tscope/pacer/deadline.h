// A deadline timer: a native thread that raises a flag in shared memory at a time, so that a spinning
// JavaScript loop learns that its time is up from one memory read. One thread serves any number of deadlines,
// one after the other.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "tscope/thread/shared_word.h"
#include "tscope/thread/thread.h"
#include "tscope/thread/time_base.h"

namespace tscope::pacer {

/// The shared block. `raised` is 0 until the deadline has passed and 1 afterwards; the times are valid while
/// it is 1.
struct DeadlineBlock {
  int32_t raised;
  int32_t unused;
  /// ns since the base of the clock: when it should have been raised, and when it was.
  double planned_ns;
  double raised_ns;
};

class Deadline {
 public:
  /// `block` must be 8-byte aligned and live until Join(). `spin_ns`: wake up so long before the deadline and
  /// spin; 0 = raise it when the system wakes the thread. `on_done` is called once when the thread ends.
  static std::unique_ptr<Deadline> Start(DeadlineBlock* block, const thread::TimeBase& time,
                                         const thread::Placement& placement, double spin_ns,
                                         std::function<void()> on_done, thread::Refusal* refusal);
  /// Stops and joins.
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// Lowers the flag and raises it at `at_ns` since the base; replaces the deadline before. A time that has
  /// passed is raised at once.
  void Arm(double at_ns);
  /// Lowers the flag and forgets the deadline.
  void Disarm();
  void RequestStop();
  void Join();

 private:
  Deadline(DeadlineBlock* block, const thread::TimeBase& time, double spin_ns, std::function<void()> on_done);
  void Run();
  void Lower() { thread::StoreWord(&block_->raised, 0); }

  DeadlineBlock* block_;
  const thread::TimeBase time_;
  const double spin_ns_;
  std::function<void()> on_done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool armed_ = false;
  double at_ns_ = 0;
  thread::Thread thread_;
};

}  // namespace tscope::pacer
