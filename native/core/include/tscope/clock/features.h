// What the CPU and the kernel say about the cycle counter. Evidence only: flags contradict each other on real
// machines (a guest kernel that marks the counter unstable while CPUID calls it invariant), so stability is
// decided by test.
#pragma once

namespace tscope::clock {

struct Features {
  const char* architecture;  // "x64", "arm64" or "other"
  char vendor[13];           // CPUID vendor string, empty elsewhere
  bool counter;              // the instruction exists
  bool counter_allowed;      // and the kernel lets user code execute it
  bool invariant;            // CPUID 8000_0007h EDX[8]; by architecture on arm64
  bool rdtscp;               // CPUID 8000_0001h EDX[27]
  bool rdpid;                // CPUID 7 ECX[22]
  bool rdpru;                // CPUID 8000_0008h EBX[4]
  bool lfence_serializing;   // Intel: always; AMD: CPUID 8000_0021h EAX[2]
  bool hypervisor;           // CPUID 1 ECX[31]
  double nominal_hz;         // what CPU or kernel claims; 0 = nothing claimed
  const char* nominal_from;  // "cpuid-15h", "cpuid-4000_0010h", "tsc_freq_khz", "cntfrq" or "none"
};

// Read once per process: every CPUID traps in a virtual machine (7 to 11 us each).
const Features& GetFeatures();

// May ReadCounter() be executed here?
bool CounterUsable();

}  // namespace tscope::clock
