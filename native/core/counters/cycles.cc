#include "tscope/counters/cycles.h"

#include <cerrno>
#include <cmath>
#include <limits>

#include "tscope/clock/features.h"
#include "tscope/clock/kernel_clock.h"
#include "tscope/cpu/affinity.h"

namespace tscope::counters {

namespace {

// As bytes, so that no assembler has to know the instruction.
uint64_t ReadAperf() {
#if defined(__x86_64__) && defined(__GNUC__)
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile(".byte 0x0f, 0x01, 0xfd" : "=a"(low), "=d"(high) : "c"(1));
  return static_cast<uint64_t>(high) << 32 | low;
#else
  return 0;
#endif
}

#if defined(__x86_64__) && defined(__GNUC__)
constexpr double kLinkCycles = 3;
#define TSCOPE_LINK "imul %0, %0\n"
#elif defined(__aarch64__) && defined(__GNUC__)
constexpr double kLinkCycles = 1;
#define TSCOPE_LINK "add %w0, %w0, %w0\n"
#else
constexpr double kLinkCycles = 0;
#endif

// Runs the chain; returns how many cycles it takes. Twenty links a turn hide the loop's own instructions.
double RunChain(int turns) {
#ifdef TSCOPE_LINK
  uint32_t x = 3;
  for (int i = 0; i < turns; i++) {
    asm volatile(TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK
                     TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK
                         TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK TSCOPE_LINK
                 : "+r"(x));
  }
#endif
  return kLinkCycles * 20 * turns;
}

int64_t Switches() {
  cpu::Usage usage;
  return cpu::ThreadUsage(&usage) == 0 ? usage.involuntary_switches + usage.voluntary_switches : 0;
}

}  // namespace

double MeasureGhz() {
  if (kLinkCycles == 0) return std::numeric_limits<double>::quiet_NaN();
  constexpr int kTurns = kLinkCycles > 1 ? 1000 : 3000;
  double best = 0;
  // The fastest run is the one that nothing interrupted.
  for (int i = 0; i < 7; i++) {
    const int64_t start = clock::KernelNs();
    const double cycles = RunChain(kTurns);
    const int64_t elapsed = clock::KernelNs() - start;
    if (elapsed > 0) best = std::fmax(best, cycles / static_cast<double>(elapsed));
  }
  return best > 0 ? best : std::numeric_limits<double>::quiet_NaN();
}

bool RdpruAdvertised() { return clock::GetFeatures().rdpru; }

int CycleCounter::Open(CycleSource source, bool rdpru_works) {
  Close();
  source_ = source;
  if (source == CycleSource::kPerf) {
    std::vector<Failure> failed;
    return group_.Open({"cycles"}, Options{}, &failed);
  }
  if (source == CycleSource::kRdpru) {
#if defined(__x86_64__) && defined(__GNUC__)
    return rdpru_works || RdpruAdvertised() ? 0 : EINVAL;
#else
    (void)rdpru_works;
    return EINVAL;
#endif
  }
  return kLinkCycles > 0 ? 0 : ENOTSUP;
}

// The order keeps the bookkeeping outside of the section: last thing at the begin and first at the end are
// time and count.
int CycleCounter::Begin() {
  if (source_ == CycleSource::kEstimated) begin_.ghz = MeasureGhz();
  begin_.cpu = cpu::CurrentCpu();
  begin_.switches = Switches();
  if (source_ == CycleSource::kPerf) {
    if (const int error = group_.Begin()) return error;
  }
  begin_.ns = clock::KernelNs();
  if (source_ == CycleSource::kRdpru) begin_.count = ReadAperf();
  return 0;
}

int CycleCounter::End(Cycles* out) {
  const uint64_t count = source_ == CycleSource::kRdpru ? ReadAperf() : 0;
  const double elapsed = static_cast<double>(clock::KernelNs() - begin_.ns);
  Delta delta;
  if (source_ == CycleSource::kPerf) {
    if (const int error = group_.End(&delta)) return error;
  }
  // Before the frequency is measured again, which may itself be interrupted.
  Mark end;
  end.cpu = cpu::CurrentCpu();
  end.switches = Switches();
  const bool undisturbed = end.cpu == begin_.cpu && end.switches == begin_.switches;
  if (source_ == CycleSource::kPerf) {
    *out = {delta.counts[0], delta.counts[0] / elapsed, !std::isnan(delta.counts[0])};
  } else if (source_ == CycleSource::kRdpru) {
    const double cycles = static_cast<double>(count - begin_.count);
    *out = {cycles, cycles / elapsed, undisturbed};
  } else {
    end.ghz = MeasureGhz();
    const double ghz = (begin_.ghz + end.ghz) / 2;
    const bool steady = std::fabs(begin_.ghz - end.ghz) <= kFrequencyTolerance * ghz;
    *out = {elapsed * ghz, ghz, undisturbed && steady};
  }
  return 0;
}

}  // namespace tscope::counters
