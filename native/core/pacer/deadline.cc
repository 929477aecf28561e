#include "tscope/pacer/deadline.h"

#include <algorithm>
#include <chrono>

namespace tscope::pacer {

Deadline::Deadline(DeadlineBlock* block, const thread::TimeBase& time, double spin_ns,
                   std::function<void()> on_done)
    : block_(block), time_(time), spin_ns_(spin_ns), on_done_(std::move(on_done)) {}

std::unique_ptr<Deadline> Deadline::Start(DeadlineBlock* block, const thread::TimeBase& time,
                                          const thread::Placement& placement, double spin_ns,
                                          std::function<void()> on_done, thread::Refusal* refusal) {
  std::unique_ptr<Deadline> deadline(new Deadline(block, time, spin_ns, std::move(on_done)));
  Deadline* self = deadline.get();
  *refusal = deadline->thread_.Start("tscope-deadline", placement, [self] { self->Run(); });
  if (refusal->refused()) return nullptr;
  return deadline;
}

Deadline::~Deadline() {
  RequestStop();
  Join();
}

void Deadline::Arm(double at_ns) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Lower();
    armed_ = true;
    at_ns_ = at_ns;
  }
  changed_.notify_one();
}

// The thread raises under the lock, so a flag lowered here stays down.
void Deadline::Disarm() {
  std::lock_guard<std::mutex> lock(mutex_);
  Lower();
  armed_ = false;
}

void Deadline::RequestStop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
}

void Deadline::Join() {
  thread_.Unpin();
  thread_.Join();
}

void Deadline::Run() {
  thread::SharpenTimers();
  constexpr double kDayNs = 86'400e9;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_) {
    if (!armed_) {
      changed_.wait(lock);
      continue;
    }
    const double now = time_.NsSinceBase(time_.Now());
    const double left = at_ns_ - now;
    if (left > spin_ns_) {
      // At least a microsecond: the remainder of a ns must not become a wait of 0.
      const double wait = std::min(std::max(left - spin_ns_, 1e3), kDayNs);
      changed_.wait_for(lock, std::chrono::nanoseconds(static_cast<int64_t>(wait)));
      continue;
    }
    if (left > 0) {
      // Spins without the lock for a moment at a time, so that the deadline can still be moved.
      const uint64_t until = time_.TickAt(std::min(at_ns_, now + 2e3));
      lock.unlock();
      while (static_cast<int64_t>(until - time_.Now()) > 0) {
      }
      lock.lock();
      continue;
    }
    block_->planned_ns = at_ns_;
    block_->raised_ns = now;
    thread::StoreWord(&block_->raised, 1);
    armed_ = false;
  }
  lock.unlock();
  thread_.Unpin();
  on_done_();
}

}  // namespace tscope::pacer
