#include "tscope/clock/clock.h"

#include <algorithm>
#include <vector>

#include "tscope/clock/counter.h"
#include "tscope/clock/features.h"
#include "tscope/clock/kernel_clock.h"

namespace tscope::clock {

namespace {

uint64_t CounterPlain() { return ReadCounter(); }
uint64_t CounterOrdered() { return ReadCounterOrdered(); }
uint64_t Kernel() { return static_cast<uint64_t>(KernelNs()); }

Setup Decide() {
  Setup s{};
  CounterEvidence evidence{};
  evidence.exists = GetFeatures().counter;
  evidence.allowed = CounterUsable();
  evidence.kernel_read_ns = ReadCostNs(Kernel);
  if (evidence.allowed) {
    evidence.read_ns = ReadCostNs(CounterPlain);
    evidence.steps = MeasureSteps(CounterPlain, 4096);
  }
  s.kernel_read_ns = evidence.kernel_read_ns;
  s.counter_read_ns = evidence.read_ns;
  s.counter_monotone = evidence.allowed && evidence.steps.backward == 0;
  s.reason = WhyNotCounter(evidence);
  if (s.reason != nullptr) {
    s.source = Source::kKernel;
    s.name = KernelClockName();
    s.read = s.read_ordered = Kernel;
  } else {
#if defined(TSCOPE_COUNTER_CNTVCT)
    s.source = Source::kCntvct;
    s.name = "cntvct";
#else
    s.source = Source::kTsc;
    s.name = "tsc";
#endif
    s.read = CounterPlain;
    s.read_ordered = CounterOrdered;
  }
  s.kernel_base = KernelNs();
  s.base = s.read_ordered();
  return s;
}

double Since(uint64_t tick, uint64_t base) { return static_cast<double>(static_cast<int64_t>(tick - base)); }

}  // namespace

const char* WhyNotCounter(const CounterEvidence& evidence) {
  if (!evidence.exists) return "this architecture has no cycle counter that tscope knows";
  if (!evidence.allowed) return "the kernel forbids the cycle counter to this process (prctl PR_SET_TSC)";
  if (evidence.steps.backward > 0) return "the cycle counter went back between two readings";
  if (evidence.steps.granularity == 0) return "the cycle counter does not move";
  if (!(evidence.read_ns < evidence.kernel_read_ns)) {
    return "reading the cycle counter costs no less than the kernel clock (trapped by the hypervisor?)";
  }
  return nullptr;
}

const Setup& GetSetup() {
  static const Setup setup = Decide();
  return setup;
}

double Ticks() {
  const Setup& s = GetSetup();
  return Since(s.read(), s.base);
}

double TicksOrdered() {
  const Setup& s = GetSetup();
  return Since(s.read_ordered(), s.base);
}

Point TakePoint(int tries) {
  const Setup& s = GetSetup();
  Point best{0, 0, -1};
  for (int i = 0; i < tries || i == 0; i++) {
    const int64_t before = KernelNs();
    const uint64_t tick = s.read_ordered();
    const int64_t after = KernelNs();
    const double width = static_cast<double>(after - before);
    if (best.width_ns >= 0 && width >= best.width_ns) continue;
    best.width_ns = width;
    best.ns = static_cast<double>(before - s.kernel_base) + width / 2;
    best.ticks = Since(tick, s.base);
  }
  return best;
}

double ReadCostNs(ReadFn read) {
  constexpr int kBatches = 15, kReads = 500;
  double costs[kBatches];
  for (double& cost : costs) {
    uint64_t sink = 0;
    const int64_t start = KernelNs();
    for (int i = 0; i < kReads; i++) sink ^= read();
    const int64_t end = KernelNs();
    // Keeps the readings: the compiler cannot know that the sum is never this.
    cost = static_cast<double>(end - start + (sink == 0x5ca1ab1e ? 1 : 0)) / kReads;
  }
  std::nth_element(costs, costs + kBatches / 2, costs + kBatches);
  return costs[kBatches / 2];
}

Steps MeasureSteps(ReadFn read, size_t n) {
  std::vector<uint64_t> ticks(std::min<size_t>(n, 65536));
  // Varied distances: a loop in lock-step with itself would read the same difference every time, whatever the
  // counter does.
  uint32_t random = 0x2545f491;
  volatile uint32_t spin = 0;
  for (uint64_t& tick : ticks) {
    tick = read();
    random = random * 1664525u + 1013904223u;
    for (uint32_t i = random >> 27; i > 0; i--) spin = i;
  }
  (void)spin;
  return StepsOf(ticks.data(), ticks.size());
}

size_t CountBackward(size_t n) {
  const Setup& s = GetSetup();
  size_t back = 0;
  uint64_t last = s.read_ordered();
  for (size_t i = 0; i < n; i++) {
    const uint64_t now = (i & 1) != 0 ? s.read_ordered() : s.read();
    if (now < last) back++;
    last = now;
  }
  return back;
}

Fit Calibrate(double ms, size_t points, size_t parts) {
  std::vector<Point> taken;
  if (points < 3 || !(ms > 0)) return Fit{};
  taken.reserve(points);
  taken.push_back(TakePoint(20));
  const double step = ms * 1e6 / static_cast<double>(points - 1);
  for (size_t i = 1; i < points; i++) {
    const double target = taken.front().ns + step * static_cast<double>(i);
    SleepNs(static_cast<int64_t>((target - TakePoint(1).ns) * 0.9));
    while (TakePoint(1).ns < target) {
    }
    taken.push_back(TakePoint(20));
  }
  return FitPoints(taken, parts);
}

}  // namespace tscope::clock
