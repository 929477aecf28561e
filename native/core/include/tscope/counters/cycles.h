// CPU cycles of a section, from the best source there is, which is always named.
#pragma once

#include <cstdint>

#include "tscope/counters/group.h"

namespace tscope::counters {

enum class CycleSource {
  kPerf,       // counted by the PMU for this thread, user mode
  kRdpru,      // APERF of the core (AMD): whatever ran there between the two reads
  kEstimated,  // elapsed time times a frequency measured with an instruction of known latency
};

struct Cycles {
  double cycles = 0;  // NaN when the source gave none
  double ghz = 0;     // cycles per ns of elapsed time; the measured frequency when estimated
  // False when the number cannot be trusted: the thread moved to another CPU or was switched out (rdpru,
  // estimated), the frequency changed by more than kFrequencyTolerance (estimated), the counter was never on
  // the PMU (perf).
  bool valid = false;
};

inline constexpr double kFrequencyTolerance = 0.02;

// GHz from a chain of dependent multiplications (additions on arm64) timed with the kernel's clock, best of a
// few runs of about 20 us. Latencies assumed: 32-bit multiplication 3 cycles on x64, addition 1 on arm64.
// Elsewhere NaN.
double MeasureGhz();

class CycleCounter {
 public:
  // EINVAL for kRdpru where the instruction is neither advertised nor known to work; the PMU's errno for
  // kPerf.
  int Open(CycleSource source, bool rdpru_works);
  CycleSource source() const { return source_; }
  int Begin();
  int End(Cycles* out);
  void Close() { group_.Close(); }

 private:
  struct Mark {
    int64_t ns = 0;
    uint64_t count = 0;
    double ghz = 0;
    int cpu = -1;
    int64_t switches = 0;
  };

  CycleSource source_ = CycleSource::kEstimated;
  Group group_;
  Mark begin_;
};

// Does the CPU advertise RDPRU (CPUID 8000_0008h EBX[4])?
bool RdpruAdvertised();

}  // namespace tscope::counters
