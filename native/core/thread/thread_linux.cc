#if defined(__linux__)

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>

#include "tscope/thread/thread.h"

namespace tscope::thread {
namespace {

// More CPUs than any kernel is built for by default (8192).
constexpr int kMaxCpus = 8192;

class CpuMask {
 public:
  CpuMask() : bits_(CPU_ALLOC(kMaxCpus)), size_(CPU_ALLOC_SIZE(kMaxCpus)) { CPU_ZERO_S(size_, bits_); }
  ~CpuMask() { CPU_FREE(bits_); }
  CpuMask(const CpuMask&) = delete;
  CpuMask& operator=(const CpuMask&) = delete;

  void Set(int cpu) { CPU_SET_S(cpu, size_, bits_); }
  void Clear(int cpu) { CPU_CLR_S(cpu, size_, bits_); }
  int Count() const { return CPU_COUNT_S(size_, bits_); }
  void CopyFrom(const CpuMask& other) {
    for (size_t cpu = 0; cpu < kMaxCpus; cpu++) {
      if (CPU_ISSET_S(cpu, size_, other.bits_)) {
        CPU_SET_S(cpu, size_, bits_);
      } else {
        CPU_CLR_S(cpu, size_, bits_);
      }
    }
  }
  int ReadOf(pid_t tid) { return sched_getaffinity(tid, size_, bits_) == 0 ? 0 : errno; }
  int ApplyTo(pid_t tid) const { return sched_setaffinity(tid, size_, bits_) == 0 ? 0 : errno; }

 private:
  cpu_set_t* bits_;
  size_t size_;
};

// Never destroyed: threads may still run while the process exits.
CpuMask& Allowed() {
  static CpuMask* mask = [] {
    auto* fresh = new CpuMask();
    // The main thread's mask: it is the one a user gave to the process.
    if (fresh->ReadOf(getpid()) != 0) fresh->ReadOf(0);
    return fresh;
  }();
  return *mask;
}

Refusal Refuse(Refusal::Step step, int error) {
  Refusal refusal;
  refusal.step = step;
  refusal.error = error;
  return refusal;
}

Refusal Place(pid_t tid, const Placement& placement) {
  // Priority first: a thread that is refused it must not already sit on a CPU where it may never get a turn
  // to end.
  sched_param param{};
  param.sched_priority = placement.fifo ? kFifoPriority : 0;
  const int policy = placement.fifo ? SCHED_FIFO : SCHED_OTHER;
  if (sched_setscheduler(tid, policy, &param) != 0 && placement.fifo) {
    return Refuse(Refusal::Step::kPriority, errno);
  }
  if (placement.cpu != kAnyCpu) {
    if (placement.cpu < 0 || placement.cpu >= kMaxCpus) return Refuse(Refusal::Step::kPin, EINVAL);
    CpuMask one;
    one.Set(placement.cpu);
    if (const int error = one.ApplyTo(tid)) return Refuse(Refusal::Step::kPin, error);
    return {};
  }
  // The new thread inherited its creator's mask, which may be a single busy CPU; a refusal here only costs
  // quiet.
  CpuMask wide;
  wide.CopyFrom(Allowed());
  if (wide.Count() > 1 && placement.avoid >= 0 && placement.avoid < kMaxCpus) wide.Clear(placement.avoid);
  wide.ApplyTo(tid);
  return {};
}

}  // namespace

struct Thread::State {
  std::function<void()> body;
  char name[16];
  pthread_t handle{};
  bool started = false;
  bool ended = false;
  std::mutex mutex;
  std::condition_variable changed;
  pid_t tid = 0;
  enum class Order { kWait, kRun, kQuit } order = Order::kWait;

  static void* Main(void* argument) {
    auto* self = static_cast<State*>(argument);
    pthread_setname_np(pthread_self(), self->name);
    Order order;
    {
      std::unique_lock<std::mutex> lock(self->mutex);
      self->tid = static_cast<pid_t>(syscall(SYS_gettid));
      self->changed.notify_all();
      self->changed.wait(lock, [self] { return self->order != Order::kWait; });
      order = self->order;
    }
    if (order == Order::kRun) self->body();
    std::lock_guard<std::mutex> lock(self->mutex);
    self->ended = true;
    return nullptr;
  }
};

Thread::Thread() : state_(new State()) {}
Thread::~Thread() { Join(); }

Refusal Thread::Start(const char* name, const Placement& placement, std::function<void()> body) {
  State& state = *state_;
  state.body = std::move(body);
  size_t length = 0;
  for (; name[length] != '\0' && length < sizeof(state.name) - 1; length++) state.name[length] = name[length];
  state.name[length] = '\0';

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  // Signals belong to the threads of the host program; the new thread inherits the blocked set.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int created = pthread_create(&state.handle, &attributes, &State::Main, &state);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (created != 0) return Refuse(Refusal::Step::kCreate, created);
  state.started = true;

  // Placed by its creator, so that nobody waits for a turn on a CPU that may be busy for ever.
  Refusal refusal;
  {
    std::unique_lock<std::mutex> lock(state.mutex);
    state.changed.wait(lock, [&state] { return state.tid != 0; });
    refusal = Place(state.tid, placement);
    state.order = refusal.refused() ? State::Order::kQuit : State::Order::kRun;
    // Told while the lock is held: afterwards the waiting thread may be gone with its condition variable.
    state.changed.notify_all();
  }
  if (refusal.refused()) Join();
  return refusal;
}

void Thread::Join() {
  if (!state_->started) return;
  state_->started = false;
  pthread_join(state_->handle, nullptr);
}

void Thread::Unpin() {
  std::lock_guard<std::mutex> lock(state_->mutex);
  // The id of a thread that has ended may be somebody else's by now.
  if (state_->tid != 0 && !state_->ended) Allowed().ApplyTo(state_->tid);
}

int64_t Thread::tid() const { return state_->tid; }

void RememberAllowedCpus() { Allowed(); }

void SharpenTimers() { prctl(PR_SET_TIMERSLACK, 1UL); }

int CurrentCpu() { return sched_getcpu(); }

}  // namespace tscope::thread

#endif
