// Where a thread cannot be pinned (macOS) or is not yet (Windows): it runs anywhere, and asking for a CPU is
// refused.
#if !defined(__linux__)

#include <cerrno>
#include <thread>

#include "tscope/thread/thread.h"

namespace tscope::thread {

struct Thread::State {
  std::thread handle;
};

Thread::Thread() : state_(new State()) {}
Thread::~Thread() { Join(); }

Refusal Thread::Start(const char* name, const Placement& placement, std::function<void()> body) {
  (void)name;
  Refusal refusal;
  if (placement.cpu != kAnyCpu || placement.fifo) {
    refusal.step = Refusal::Step::kUnsupported;
    refusal.error = ENOTSUP;
    return refusal;
  }
  state_->handle = std::thread(std::move(body));
  return refusal;
}

void Thread::Join() {
  if (state_->handle.joinable()) state_->handle.join();
}

void Thread::Unpin() {}

int64_t Thread::tid() const { return 0; }

void RememberAllowedCpus() {}

void SharpenTimers() {}

int CurrentCpu() { return kAnyCpu; }

}  // namespace tscope::thread

#endif
