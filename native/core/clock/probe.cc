#include "tscope/clock/probe.h"

#include "tscope/clock/counter.h"

#if defined(TSCOPE_COUNTER_TSC) && !defined(_WIN32)
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

namespace tscope::clock {

namespace {

// As bytes, so that no assembler has to know them.
void Rdtscp() { asm volatile(".byte 0x0f, 0x01, 0xf9" : : : "eax", "ecx", "edx"); }
void Rdpid() { asm volatile(".byte 0xf3, 0x0f, 0xc7, 0xf8" : : : "rax"); }
void Rdpru() { asm volatile(".byte 0x0f, 0x01, 0xfd" : : "c"(1) : "eax", "edx"); }  // APERF
void Rdpmc() { asm volatile(".byte 0x0f, 0x33" : : "c"(0) : "eax", "edx"); }

using Instruction = void (*)();

Instruction Find(const char* name) {
  if (std::strcmp(name, "rdtscp") == 0) return Rdtscp;
  if (std::strcmp(name, "rdpid") == 0) return Rdpid;
  if (std::strcmp(name, "rdpru") == 0) return Rdpru;
  if (std::strcmp(name, "rdpmc") == 0) return Rdpmc;
  return nullptr;
}

// Between fork and _exit only what is safe in a child of a threaded process. Handlers of the parent (a crash
// reporter) and core files stay out of it.
[[noreturn]] void Child(Instruction instruction) {
  for (int signal_number : {SIGILL, SIGSEGV, SIGBUS, SIGTRAP}) signal(signal_number, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  instruction();
  _exit(0);
}

}  // namespace

Probe ProbeInstruction(const char* name) {
  const Instruction instruction = Find(name);
  if (instruction == nullptr) return Probe::kUnknown;
  const pid_t child = fork();
  if (child < 0) return Probe::kUnknown;
  if (child == 0) Child(instruction);
  int status = 0;
  pid_t waited;
  do {
    waited = waitpid(child, &status, 0);
  } while (waited < 0 && errno == EINTR);
  if (waited != child) return Probe::kUnknown;
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? Probe::kWorks : Probe::kUnknown;
  return Probe::kFaults;
}

}  // namespace tscope::clock

#else

namespace tscope::clock {

Probe ProbeInstruction(const char*) { return Probe::kUnknown; }

}  // namespace tscope::clock

#endif
