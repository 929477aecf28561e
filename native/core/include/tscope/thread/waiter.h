// Sleeping that another thread can end at once: what stops a thread in the middle of a long sleep.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tscope::thread {

class Waiter {
 public:
  /// Sleeps `ns`, or less when Wake() is or was called; true when woken.
  bool Sleep(uint64_t ns);
  /// Ends the present and every later Sleep().
  void Wake();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
};

}  // namespace tscope::thread
