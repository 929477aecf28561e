#include "tscope/pacer/pacer.h"

#include <cmath>

namespace tscope::pacer {

Pacer::Pacer(Config config, std::function<void()> on_wake, std::function<void()> on_done)
    : config_(std::move(config)),
      on_wake_(std::move(on_wake)),
      on_done_(std::move(on_done)),
      ring_(config_.block, config_.capacity),
      lateness_(new histogram::Recorder()) {}

std::unique_ptr<Pacer> Pacer::Start(Config config, std::function<void()> on_wake,
                                    std::function<void()> on_done, thread::Refusal* refusal) {
  std::unique_ptr<Pacer> pacer(new Pacer(std::move(config), std::move(on_wake), std::move(on_done)));
  Config& settled = pacer->config_;
  if (std::isnan(settled.t0_ns)) settled.t0_ns = settled.time.NsSinceBase(settled.time.Now()) + kLeadNs;
  Pacer* self = pacer.get();
  *refusal = pacer->thread_.Start("tscope-pacer", settled.placement, [self] { self->Run(); });
  if (refusal->refused()) return nullptr;
  return pacer;
}

Pacer::~Pacer() {
  RequestStop();
  Join();
}

void Pacer::RequestStop() {
  stop_.store(true, std::memory_order_relaxed);
  waiter_.Wake();
}

void Pacer::Join() {
  if (stop_.load(std::memory_order_relaxed)) thread_.Unpin();
  thread_.Join();
}

bool Pacer::WaitUntil(uint64_t target, uint64_t* now) {
  const thread::TimeBase& time = config_.time;
  for (;;) {
    *now = time.Now();
    const auto left = static_cast<int64_t>(target - *now);
    if (left <= 0) return true;
    const double left_ns = time.ToNs(static_cast<uint64_t>(left));
    if (left_ns > config_.spin_ns) {
      waiter_.Sleep(static_cast<uint64_t>(left_ns - config_.spin_ns));
      if (stop_.load(std::memory_order_relaxed)) return false;
      continue;
    }
    // The last stretch: nothing but the clock and the flag.
    while (static_cast<int64_t>(target - *now) > 0) {
      if (stop_.load(std::memory_order_relaxed)) return false;
      *now = time.Now();
    }
    return true;
  }
}

void Pacer::Run() {
  thread::SharpenTimers();
  const thread::TimeBase& time = config_.time;
  for (size_t i = 0; i < config_.plan.size(); i++) {
    const double planned = config_.t0_ns + config_.plan[i];
    uint64_t now;
    // One look at the flag per entry even when all of them are late.
    if (stop_.load(std::memory_order_relaxed) || !WaitUntil(time.TickAt(planned), &now)) {
      result_.stopped = true;
      break;
    }
    const double released = time.NsSinceBase(now);
    ring_.Push(static_cast<double>(i), planned, released);
    result_.released++;
    lateness_->Record(static_cast<uint64_t>(released - planned));
    if (ring_.TakeWaiting()) {
      result_.wakes++;
      on_wake_();
    }
  }
  result_.overflow = ring_.overflow();
  result_.lateness = lateness_->Take();
  // A pacer may wait long for its owner, or for a garbage collector, to go.
  lateness_.reset();
  config_.plan = {};
  ring_.End(result_.stopped ? RingState::kStopped : RingState::kExhausted);
  if (ring_.TakeWaiting()) {
    result_.wakes++;
    on_wake_();
  }
  thread_.Unpin();
  on_done_();
}

}  // namespace tscope::pacer
