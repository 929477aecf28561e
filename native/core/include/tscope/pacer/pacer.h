// The pacer: a native thread that releases a precomputed plan of start times into a ring, by sleeping until
// shortly before each time and spinning from there on. The plan never moves: what is late is released at once
// and says how late it was.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tscope/histogram/recorder.h"
#include "tscope/pacer/ring.h"
#include "tscope/thread/thread.h"
#include "tscope/thread/time_base.h"
#include "tscope/thread/waiter.h"

namespace tscope::pacer {

struct Config {
  thread::Placement placement{thread::kAnyCpu, thread::kAnyCpu, false};
  thread::TimeBase time;
  /// ns after t0_ns, never decreasing.
  std::vector<double> plan;
  /// ns since the base of `time`; NaN = kLead after the start.
  double t0_ns = 0;
  /// How long before a planned time to wake up and spin. Covers the lateness of a wake-up (50 to 100 us
  /// here).
  double spin_ns = 200'000;
  /// The ring's block, see RingWriter; must live until Join().
  void* block = nullptr;
  uint32_t capacity = 0;
};
constexpr double kLeadNs = 5e6;

struct Result {
  /// Entries of the plan that were due: released into the ring, or counted as overflow.
  uint64_t released = 0;
  uint32_t overflow = 0;
  uint64_t wakes = 0;
  bool stopped = false;
  /// Released minus planned, ns, of every entry.
  histogram::Snapshot lateness;
};

class Pacer {
 public:
  /// `on_wake` is called (from the pacer's thread, after a release) when the consumer asked to be woken,
  /// `on_done` once at the end; neither may block. nullptr and `refusal` filled in when the system refuses.
  static std::unique_ptr<Pacer> Start(Config config, std::function<void()> on_wake,
                                      std::function<void()> on_done, thread::Refusal* refusal);
  /// Stops and joins.
  ~Pacer();
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;

  void RequestStop();
  void Join();
  double t0_ns() const { return config_.t0_ns; }
  /// After on_done or Join().
  const Result& result() const { return result_; }

 private:
  Pacer(Config config, std::function<void()> on_wake, std::function<void()> on_done);
  void Run();
  /// The first tick at or after `target`; false when stopped before.
  bool WaitUntil(uint64_t target, uint64_t* now);

  Config config_;
  std::function<void()> on_wake_, on_done_;
  RingWriter ring_;
  std::unique_ptr<histogram::Recorder> lateness_;
  thread::Waiter waiter_;
  std::atomic<bool> stop_{false};
  Result result_;
  thread::Thread thread_;
};

}  // namespace tscope::pacer
