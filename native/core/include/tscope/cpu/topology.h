// What the machine is made of, from /sys and /proc. Parsing is pure over Files; everything that cannot be had
// is absent (nullopt, -1, empty text), never guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tscope/cpu/files.h"

namespace tscope::cpu {

struct Cpu {
  int cpu = 0;
  int core = 0;             // index into Topology::cores
  int package = -1;         // socket as the kernel numbers it
  int node = -1;            // NUMA node
  int capacity = -1;        // relative computing capacity, 1024 = the strongest CPU (cpu_capacity)
  int64_t max_khz = -1;     // cpuinfo_max_freq
  std::string kind;         // "performance" or "efficiency" where the kernel tells the two apart
  int64_t interrupts = -1;  // device interrupts handled since boot
};

// SMT siblings that share one physical core.
struct Core {
  int package = -1;
  int id = -1;  // the kernel's number, unique only within its package
  std::vector<int> cpus;
};

struct Cache {
  int level = 0;
  std::string type;  // "Data", "Instruction", "Unified"
  int64_t bytes = -1;
  int line_bytes = -1;
  std::vector<int> cpus;  // that share it
};

struct Node {
  int node = 0;
  std::vector<int> cpus;
};

using CpuList = std::optional<std::vector<int>>;

struct Topology {
  std::vector<int> online;
  std::vector<Cpu> cpus;      // online ones, ascending
  std::vector<Core> cores;    // by lowest CPU
  std::vector<Cache> caches;  // by level, type, lowest CPU
  std::vector<Node> nodes;
  CpuList isolated;  // isolcpus
  CpuList nohz_full;
  CpuList allowed;    // affinity of the process' main thread
  CpuList cpuset;     // what the control group lets it use
  double quota = -1;  // CPUs the control group may use per unit of time; -1 = no limit known
  std::optional<bool> smt_active;
};

// ENOENT when there is no list of online CPUs (not Linux, or /sys not mounted).
int ReadTopology(const Files& files, Topology* out);

// Control groups, version 1 and 2: the CPUs a process may use, and its quota in CPUs, the smallest on the way
// up.
void ReadCgroup(const Files& files, CpuList* cpuset, double* quota);

// Device interrupts per CPU number, from the text of /proc/interrupts; only numbered lines, because timer and
// other per-CPU interrupts say nothing about where devices were steered.
std::vector<int64_t> ParseInterrupts(const std::string& text);

}  // namespace tscope::cpu
