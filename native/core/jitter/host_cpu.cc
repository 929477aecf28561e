#include "tscope/clock/counter.h"
#include "tscope/clock/features.h"
#include "tscope/jitter/machine.h"

namespace tscope::jitter {

std::optional<uint32_t> HostCpu() {
#if defined(TSCOPE_COUNTER_TSC)
  // On bare metal the register names the CPU the thread is pinned to and stays; under a hypervisor that does
  // not virtualise it, it names the host's CPU, and a change means that the vCPU was moved.
  if (clock::GetFeatures().rdtscp && clock::CounterUsable()) {
    unsigned aux;
    __rdtscp(&aux);
    return aux;
  }
#endif
  return std::nullopt;
}

}  // namespace tscope::jitter
