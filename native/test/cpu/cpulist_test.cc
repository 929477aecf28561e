#include "tscope/cpu/cpulist.h"

#include <doctest/doctest.h>

using namespace tscope::cpu;

static std::string Round(const char* text) {
  std::vector<int> cpus;
  return ParseCpuList(text, &cpus) ? FormatCpuList(cpus) : "refused";
}

TEST_CASE("lists in the kernel's notation") {
  CHECK(Round("0-3,8\n") == "0-3,8");
  CHECK(Round("") == "");
  CHECK(Round(" \n") == "");
  CHECK(Round("5") == "5");
  CHECK(Round("4,5") == "4,5");
  CHECK(Round("7,1-2,2-3,7") == "1-3,7");
  CHECK(Round("0-10:2/4") == "0,1,4,5,8,9");
  CHECK(Round("8191") == "8191");
}

TEST_CASE("what is no list is refused and changes nothing") {
  for (const char* text : {"x", "1-", "-1", "3-1", "1,", ",1", "1,,2", "8192", "99999999999999999999",
                           "0-3:0/4", "0-3:4/2", "0-3:1", "1 2", "(null)"}) {
    std::vector<int> cpus = {42};
    CAPTURE(text);
    CHECK_FALSE(ParseCpuList(text, &cpus));
    CHECK(cpus == std::vector<int>{42});
  }
}
