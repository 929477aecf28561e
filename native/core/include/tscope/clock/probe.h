// Does an instruction work that CPUID does not advertise? Only a child process can find out: it executes it
// and dies or not.
#pragma once

namespace tscope::clock {

enum class Probe { kWorks, kFaults, kUnknown };

// `name`: "rdtscp", "rdpid", "rdpru" or "rdpmc" (x64; kUnknown for other names, other architectures and
// Windows). Forks and waits (6 to 14 ms in a large process). Nobody calls this unasked.
Probe ProbeInstruction(const char* name);

}  // namespace tscope::clock
