#include "tscope/jitter/proc.h"

#include <doctest/doctest.h>

using namespace tscope::jitter;

TEST_CASE("interrupt columns are found by name, rows without a column per CPU are skipped") {
  // CPU1 is offline.
  const std::string text =
      "           CPU0       CPU2       CPU3       \n"
      "  0:         36          0          0   IO-APIC   2-edge      timer\n"
      " 30:          2         10          7  IR-PCI-MSI-0000:00:1f.6 9-edge 100 eth0\n"
      "NMI:          0          1          0   Non-maskable interrupts\n"
      "LOC:       1000       2000       3000   Local timer interrupts\n"
      "ERR:          5\n"
      "MIS:          6\n";
  CHECK(ColumnSum(text, 0) == 1038u);
  CHECK(ColumnSum(text, 2) == 2011u);
  CHECK(ColumnSum(text, 3) == 3007u);
  CHECK_FALSE(ColumnSum(text, 1).has_value());
  CHECK_FALSE(ColumnSum("", 0).has_value());
}

TEST_CASE("softirqs have the same shape") {
  const std::string text =
      "                    CPU0       CPU1       \n"
      "          HI:          1          2\n"
      "       TIMER:       8580       8821\n";
  CHECK(ColumnSum(text, 1) == 8823u);
}

TEST_CASE("steal is the eighth number of the CPU's line") {
  const std::string text =
      "cpu  9359 0 5465 146179 345 0 70 35 0 0\n"
      "cpu1 5087 0 3076 72147 317 0 56 19 0 0\n"
      "cpu10 1 2 3 4 5 6 7 8 9 10\n"
      "cpu11 1 2 3\n";
  CHECK(StealTicks(text, 1) == 19u);
  CHECK(StealTicks(text, 10) == 8u);
  CHECK_FALSE(StealTicks(text, 11).has_value());
  CHECK_FALSE(StealTicks(text, 0).has_value());
}

TEST_CASE("context switches and run delay") {
  const auto switches =
      SwitchesOf("Name:\tnode\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n");
  REQUIRE(switches.has_value());
  CHECK(switches->voluntary == 150);
  CHECK(switches->involuntary == 545);
  CHECK_FALSE(SwitchesOf("Name:\tnode\n").has_value());
  CHECK(RunDelayNs("94532 7741 12\n") == 7741u);
  CHECK_FALSE(RunDelayNs("").has_value());
}

TEST_CASE("throttling in both versions of cgroups") {
  const auto v1 = ThrottlingOf("nr_periods 10\nnr_throttled 4\nthrottled_time 1234567\nnr_bursts 0\n");
  REQUIRE(v1.has_value());
  CHECK(v1->times == 4);
  CHECK(v1->ns == 1'234'567);
  const auto v2 = ThrottlingOf("usage_usec 100\nnr_periods 3\nnr_throttled 2\nthrottled_usec 77\n");
  REQUIRE(v2.has_value());
  CHECK(v2->times == 2);
  CHECK(v2->ns == 77'000);
  // The root group of v2 has no limits.
  CHECK_FALSE(ThrottlingOf("usage_usec 100\nuser_usec 60\n").has_value());
}

TEST_CASE("files that may hold the throttling: the own group and its ancestors") {
  const auto v2 = ThrottlingFiles("0::/a/b\n");
  CHECK(v2 == std::vector<std::string>{"/sys/fs/cgroup/a/b/cpu.stat", "/sys/fs/cgroup/a/cpu.stat",
                                       "/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/unified/a/b/cpu.stat",
                                       "/sys/fs/cgroup/unified/a/cpu.stat",
                                       "/sys/fs/cgroup/unified/cpu.stat"});
  const auto v1 = ThrottlingFiles("9:name=systemd:/\n2:cpu,cpuacct:/docker/x\n1:cpuset:/\n");
  CHECK(v1 == std::vector<std::string>{"/sys/fs/cgroup/cpu/docker/x/cpu.stat",
                                       "/sys/fs/cgroup/cpu/docker/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"});
  CHECK(ThrottlingFiles("").empty());
}

TEST_CASE("the pause of real-time threads") {
  CHECK(RealTimePauseNs("1000000\n", "950000\n") == 50'000'000);
  CHECK(RealTimePauseNs("1000000\n", "-1\n") == 0);
  CHECK(RealTimePauseNs("1000000\n", "1000000\n") == 0);
  CHECK(RealTimePauseNs("", "950000\n") == 0);
}
