// Do the counters of two CPUs agree? Two pinned threads exchange stamps through a cache line (as NTP does
// over a network).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tscope::clock {

// One exchange: sent at `sent` by the first CPU, stamped `remote` by the second, back at `received` on the
// first.
struct Exchange {
  uint64_t sent, remote, received;
};

struct Offset {
  size_t exchanges;
  double offset_ticks;  // second CPU minus first: median of the hundredth of the exchanges with the shortest
                        // round trips
  double spread_ticks;  // 5th to 95th percentile of those
  double bound_ticks;   // hard bound of the error: half the shortest round trip
  double round_trip_ticks;  // shortest
  size_t violations;        // remote stamps outside [sent, received]: no constant rate explains them
};

// Arithmetic only. No exchanges: everything 0.
Offset OffsetOf(const Exchange* exchanges, size_t n);

// Both directions: the way there and the way back through the cache differ (measured: by 60 ns on a machine
// whose counters agree to 10), which one direction alone would take for an offset.
struct TwoWay {
  double offset_ticks;     // second CPU minus first
  double asymmetry_ticks;  // what one direction alone would have been wrong by
};

// `forward`: the first CPU asks; `backward`: the second does. Arithmetic only.
TwoWay Combine(const Offset& forward, const Offset& backward);

struct PairResult {
  int error;  // 0, or an errno: EINVAL (CPU not there or not allowed), ENOTSUP (no pinning, no counter),
              // ETIME (too few exchanges)
  Offset forward, backward;
  TwoWay both;
};

// Pins two threads of its own and lets them exchange stamps, half of the exchanges in each direction, for at
// most `limit_ns`; the calling thread waits and keeps its affinity. Needs the counter (Setup::source not
// kKernel; ENOTSUP otherwise).
PairResult MeasurePair(int first_cpu, int second_cpu, size_t exchanges, int64_t limit_ns);

}  // namespace tscope::clock
