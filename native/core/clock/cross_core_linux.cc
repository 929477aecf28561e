#if defined(__linux__)
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <memory>
#include <vector>

#include "tscope/clock/clock.h"
#include "tscope/clock/cross_core.h"
#include "tscope/clock/kernel_clock.h"

namespace tscope::clock {

namespace {

constexpr size_t kFewest = 50;

struct Pair {
  // A line each (two, for prefetchers that fetch pairs).
  alignas(128) std::atomic<uint64_t> ping{0};
  alignas(128) std::atomic<uint64_t> pong{0};
  alignas(128) std::atomic<bool> stop{false};
  std::atomic<int> ready{0};
  std::atomic<int> error{0};
  int cpus[2];
  size_t wanted;
  int64_t deadline;
  ReadFn read;
  std::vector<Exchange> exchanges;
};

bool PinSelf(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

// Spins until `done()`; gives up at the deadline or when the other side stopped.
template <typename Done>
bool SpinUntil(Pair& pair, Done done) {
  for (uint32_t i = 1;; i++) {
    if (done()) return true;
    if ((i & 1023) != 0) continue;
    if (pair.stop.load(std::memory_order_relaxed)) return false;
    if (KernelNs() > pair.deadline) {
      pair.stop.store(true, std::memory_order_relaxed);
      return false;
    }
  }
}

bool Meet(Pair& pair, int side) {
  if (!PinSelf(pair.cpus[side])) {
    pair.error.store(EINVAL);
    pair.stop.store(true);
    return false;
  }
  pair.ready.fetch_add(1);
  return SpinUntil(pair, [&] { return pair.ready.load() == 2; });
}

void* First(void* arg) {
  Pair& pair = *static_cast<Pair*>(arg);
  if (!Meet(pair, 0)) return nullptr;
  for (uint64_t i = 1; i <= pair.wanted; i++) {
    pair.pong.store(0, std::memory_order_relaxed);
    Exchange e{};
    e.sent = pair.read();
    pair.ping.store(i, std::memory_order_release);
    const bool back =
        SpinUntil(pair, [&] { return (e.remote = pair.pong.load(std::memory_order_acquire)) != 0; });
    if (!back) break;
    e.received = pair.read();
    pair.exchanges.push_back(e);
  }
  pair.stop.store(true);
  return nullptr;
}

void* Second(void* arg) {
  Pair& pair = *static_cast<Pair*>(arg);
  if (!Meet(pair, 1)) return nullptr;
  for (uint64_t i = 1; i <= pair.wanted; i++) {
    if (!SpinUntil(pair, [&] { return pair.ping.load(std::memory_order_acquire) == i; })) break;
    pair.pong.store(pair.read(), std::memory_order_release);
  }
  return nullptr;
}

// First CPU asks, second answers. 0 or an errno.
int OneWay(int first_cpu, int second_cpu, size_t exchanges, int64_t limit_ns, Offset* out) {
  auto pair = std::make_unique<Pair>();
  pair->cpus[0] = first_cpu;
  pair->cpus[1] = second_cpu;
  pair->wanted = exchanges;
  pair->deadline = KernelNs() + limit_ns;
  pair->read = GetSetup().read_ordered;
  pair->exchanges.reserve(exchanges);
  pthread_t first, second;
  if (const int error = pthread_create(&second, nullptr, Second, pair.get())) return error;
  const int error = pthread_create(&first, nullptr, First, pair.get());
  if (error == 0) {
    pthread_join(first, nullptr);
  } else {
    pair->error.store(error);
    pair->stop.store(true);
  }
  pthread_join(second, nullptr);
  if (const int failed = pair->error.load()) return failed;
  if (pair->exchanges.size() < kFewest) return ETIME;
  *out = OffsetOf(pair->exchanges.data(), pair->exchanges.size());
  return 0;
}

}  // namespace

PairResult MeasurePair(int first_cpu, int second_cpu, size_t exchanges, int64_t limit_ns) {
  PairResult result{};
  if (GetSetup().source == Source::kKernel) {
    result.error = ENOTSUP;
    return result;
  }
  if (first_cpu == second_cpu || exchanges == 0) {
    result.error = EINVAL;
    return result;
  }
  const size_t half = (exchanges + 1) / 2;
  result.error = OneWay(first_cpu, second_cpu, half, limit_ns / 2, &result.forward);
  if (result.error == 0) result.error = OneWay(second_cpu, first_cpu, half, limit_ns / 2, &result.backward);
  if (result.error == 0) result.both = Combine(result.forward, result.backward);
  return result;
}

}  // namespace tscope::clock
#endif
