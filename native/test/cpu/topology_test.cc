#include "tscope/cpu/topology.h"

#include <doctest/doctest.h>

#include <cerrno>

#include "recorded.h"
#include "tscope/cpu/cpulist.h"

using namespace tscope::cpu;

static Topology Read(const char* name) {
  RecordedFiles files(name);
  REQUIRE_FALSE(files.empty());
  Topology t;
  REQUIRE(ReadTopology(files, &t) == 0);
  return t;
}

static std::string Text(const CpuList& cpus) { return cpus ? FormatCpuList(*cpus) : "unknown"; }

static std::string Cores(const Topology& t) {
  std::string out;
  for (const Core& core : t.cores) out += (out.empty() ? "" : " | ") + FormatCpuList(core.cpus);
  return out;
}

TEST_CASE("SMT") {
  const Topology t = Read("smt");
  CHECK(Cores(t) == "0,4 | 1,5 | 2,6 | 3,7");
  CHECK(t.smt_active.value());
  CHECK(t.caches.size() == 13);
  CHECK(t.caches.back().bytes == 16 << 20);
  CHECK(t.cpus[5].interrupts == 5000);
  CHECK(t.cpus[5].max_khz == 4200000);
  CHECK(t.quota == -1);
}

TEST_CASE("hybrid") {
  const Topology t = Read("hybrid");
  CHECK(Cores(t) == "0,1 | 2,3 | 4 | 5 | 6 | 7");
  CHECK(t.cpus[3].kind == "performance");
  CHECK(t.cpus[4].kind == "efficiency");
  CHECK(t.cpus[4].capacity == 642);
}

TEST_CASE("big.LITTLE without caches, nodes and SMT") {
  const Topology t = Read("arm-biglittle");
  CHECK(t.cpus[0].capacity == 485);
  CHECK(t.cpus[0].node == -1);
  CHECK(t.caches.empty());
  CHECK_FALSE(t.smt_active.has_value());
  CHECK(Text(t.nohz_full) == "unknown");
}

TEST_CASE("two sockets with equal core ids") {
  const Topology t = Read("two-sockets");
  CHECK(t.cores.size() == 8);
  CHECK(t.cores[0].id == t.cores[4].id);
  CHECK(t.cores[4].package == 1);
  CHECK(t.cpus[12].core == t.cpus[4].core);
  CHECK(t.cpus[12].node == 1);
}

TEST_CASE("isolated CPUs") {
  const Topology t = Read("isolated");
  CHECK(Text(t.isolated) == "4-7");
  CHECK(Text(t.nohz_full) == "6,7");
  CHECK(Text(t.allowed) == "0-3");
}

TEST_CASE("control groups") {
  CHECK(Text(Read("container-v2").cpuset) == "2,3,6");
  CHECK(Read("container-v2").quota == 1.5);
  CHECK(Text(Read("nested-v2").cpuset) == "0-5");
  CHECK(Read("nested-v2").quota == 3);
  CHECK(Text(Read("container-v1").cpuset) == "1,3");
  CHECK(Read("container-v1").quota == 0.5);
}

TEST_CASE("damaged files give what can be had") {
  const Topology t = Read("damaged");
  CHECK(Cores(t) == "0 | 1 | 2");
  CHECK(t.cores[1].package == -1);
  CHECK(Text(t.isolated) == "unknown");
  CHECK(t.caches.empty());
  CHECK(t.quota == -1);
}

TEST_CASE("no machine") {
  Topology t;
  CHECK(ReadTopology(DiskFiles("/nonexistent"), &t) == ENOENT);
}

TEST_CASE("interrupts: numbered lines only, offline CPUs have no column, short lines are cut short") {
  const std::vector<int64_t> counts = ParseInterrupts(
      "           CPU0       CPU2\n"
      "  1:         10         20   IO-APIC 1-edge i8042\n"
      "130:          5          0   PCI-MSI\n"
      "131:          7\n"
      "NMI:        900        900   Non-maskable interrupts\n"
      "ERR:          3\n");
  CHECK(counts == std::vector<int64_t>{22, -1, 20});
  CHECK(ParseInterrupts("").empty());
  CHECK(ParseInterrupts("no header here\n 1: 5\n").empty());
}

#ifdef __linux__
TEST_CASE("this machine") {
  Topology t;
  const int error = ReadTopology(DiskFiles("/"), &t);
  if (error == 0)
    CHECK(t.cpus.size() == t.online.size());
  else
    CHECK(error == ENOENT);
}
#endif
