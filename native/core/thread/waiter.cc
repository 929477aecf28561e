#include "tscope/thread/waiter.h"

#include <algorithm>
#include <chrono>

namespace tscope::thread {

bool Waiter::Sleep(uint64_t ns) {
  // A year at most: some libraries overflow when they add a huge wait to the present.
  const std::chrono::nanoseconds wait(std::min<uint64_t>(ns, uint64_t{365} * 86'400 * 1'000'000'000));
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, wait, [this] { return woken_; });
}

void Waiter::Wake() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

}  // namespace tscope::thread
