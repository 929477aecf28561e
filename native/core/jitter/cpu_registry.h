// Which CPUs of this process already have a sampler: two on one CPU would find each other. Private to
// core/jitter.
#pragma once

namespace tscope::jitter {

/// False if the CPU is taken. kAnyCpu is never taken.
bool ClaimCpu(int cpu);
void ReleaseCpu(int cpu);

}  // namespace tscope::jitter
