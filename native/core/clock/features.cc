#include "tscope/clock/features.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tscope/clock/counter.h"

#if defined(TSCOPE_COUNTER_TSC) && !defined(_MSC_VER)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace tscope::clock {

namespace {

#if defined(TSCOPE_COUNTER_TSC)

struct Leaf {
  uint32_t eax, ebx, ecx, edx;
};

Leaf Cpuid(uint32_t leaf, uint32_t sub = 0) {
  Leaf r{};
#if defined(_MSC_VER)
  int out[4];
  __cpuidex(out, static_cast<int>(leaf), static_cast<int>(sub));
  r = {static_cast<uint32_t>(out[0]), static_cast<uint32_t>(out[1]), static_cast<uint32_t>(out[2]),
       static_cast<uint32_t>(out[3])};
#else
  __cpuid_count(leaf, sub, r.eax, r.ebx, r.ecx, r.edx);
#endif
  return r;
}

bool Bit(uint32_t word, int n) { return ((word >> n) & 1u) != 0; }

// prctl(PR_SET_TSC) turns the instruction into SIGSEGV for a process and its children.
bool KernelAllows() {
#if defined(__linux__) && defined(PR_GET_TSC)
  int mode = PR_TSC_ENABLE;
  if (prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0) return mode == PR_TSC_ENABLE;
#endif
  return true;
}

// Not in mainline kernels; some vendors export it.
double SysfsHz() {
#if defined(__linux__)
  if (FILE* file = std::fopen("/sys/devices/system/cpu/cpu0/tsc_freq_khz", "re")) {
    double khz = 0;
    const int n = std::fscanf(file, "%lf", &khz);
    std::fclose(file);
    if (n == 1 && khz > 0) return khz * 1e3;
  }
#endif
  return 0;
}

void Nominal(Features& f, uint32_t max_basic) {
  if (max_basic >= 0x15) {
    const Leaf leaf = Cpuid(0x15);
    if (leaf.eax != 0 && leaf.ebx != 0 && leaf.ecx != 0) {
      f.nominal_hz = static_cast<double>(leaf.ecx) * leaf.ebx / leaf.eax;
      f.nominal_from = "cpuid-15h";
      return;
    }
  }
  if (f.hypervisor && Cpuid(0x40000000).eax >= 0x40000010) {
    const uint32_t khz = Cpuid(0x40000010).eax;
    if (khz != 0) {
      f.nominal_hz = khz * 1e3;
      f.nominal_from = "cpuid-4000_0010h";
      return;
    }
  }
  if (const double hz = SysfsHz()) {
    f.nominal_hz = hz;
    f.nominal_from = "tsc_freq_khz";
  }
}

Features Detect() {
  Features f{};
  f.architecture = "x64";
  f.nominal_from = "none";
  const Leaf zero = Cpuid(0);
  std::memcpy(f.vendor, &zero.ebx, 4);
  std::memcpy(f.vendor + 4, &zero.edx, 4);
  std::memcpy(f.vendor + 8, &zero.ecx, 4);
  const Leaf one = Cpuid(1);
  f.counter = Bit(one.edx, 4);
  f.counter_allowed = f.counter && KernelAllows();
  f.hypervisor = Bit(one.ecx, 31);
  if (zero.eax >= 7) f.rdpid = Bit(Cpuid(7).ecx, 22);
  const bool amd = std::strcmp(f.vendor, "AuthenticAMD") == 0 || std::strcmp(f.vendor, "HygonGenuine") == 0;
  f.lfence_serializing = !amd;
  const uint32_t max_extended = Cpuid(0x80000000).eax;
  if (max_extended >= 0x80000001) f.rdtscp = Bit(Cpuid(0x80000001).edx, 27);
  if (max_extended >= 0x80000007) f.invariant = Bit(Cpuid(0x80000007).edx, 8);
  if (max_extended >= 0x80000008) f.rdpru = Bit(Cpuid(0x80000008).ebx, 4);
  if (amd && max_extended >= 0x80000021) f.lfence_serializing = Bit(Cpuid(0x80000021).eax, 2);
  Nominal(f, zero.eax);
  return f;
}

#elif defined(TSCOPE_COUNTER_CNTVCT)

Features Detect() {
  Features f{};
  f.architecture = "arm64";
  f.counter = true;
  f.counter_allowed = true;
  f.invariant = true;  // The generic timer runs at a fixed frequency by architecture.
  uint64_t hz;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  f.nominal_hz = static_cast<double>(hz);
  f.nominal_from = hz != 0 ? "cntfrq" : "none";
  return f;
}

#else

Features Detect() {
  Features f{};
  f.architecture = "other";
  f.nominal_from = "none";
  return f;
}

#endif

}  // namespace

const Features& GetFeatures() {
  static const Features features = Detect();
  return features;
}

bool CounterUsable() { return GetFeatures().counter_allowed; }

}  // namespace tscope::clock
