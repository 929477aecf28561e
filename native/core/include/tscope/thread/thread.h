// A native thread with a CPU and a priority, started without exceptions: what the system refuses comes back
// as a value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tscope::thread {

/// What a thread asks of the system.
struct Placement {
  /// CPU to pin to; kAnyCpu = wherever the process may run.
  int cpu;
  /// CPU to keep off when there is another; kAnyCpu = none. Only read when `cpu` is kAnyCpu.
  int avoid;
  /// SCHED_FIFO priority 50 instead of the normal policy.
  bool fifo;
};
constexpr int kAnyCpu = -1;
/// Real-time priority used for `fifo`: above the kernel's threaded interrupts' default is not wanted, so the
/// same, 50.
constexpr int kFifoPriority = 50;

/// What the system said no to.
struct Refusal {
  enum class Step { kNone, kCreate, kPin, kPriority, kUnsupported };
  Step step = Step::kNone;
  /// errno of the refusing call.
  int error = 0;
  bool refused() const { return step != Step::kNone; }
};

class Thread {
 public:
  Thread();
  /// Joins.
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Starts `body` once placed as asked; on a refusal `body` never runs. The caller waits until the new
  /// thread has been scheduled once (about 50 us), not until it runs on its CPU.
  Refusal Start(const char* name, const Placement& placement, std::function<void()> body);
  void Join();
  /// Lets it run on every CPU that the process may use: a thread that only has to end must not wait for a
  /// turn on a CPU that something of a higher priority keeps. From any thread between Start() and Join().
  void Unpin();
  /// Kernel id of the thread (0 where the platform has none).
  int64_t tid() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Remembers the CPUs that the process may use now, before any of its threads is pinned. The first call
/// counts.
void RememberAllowedCpus();

/// Lets the calling thread's sleeps end as precisely as the kernel can, instead of up to 50 us later to save
/// power.
void SharpenTimers();

/// CPU the caller runs on now, kAnyCpu where unknown.
int CurrentCpu();

}  // namespace tscope::thread
