// CPU lists in the kernel's notation: "0-3,8,10-11". Pure; no machine is touched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tscope::cpu {

// Highest number of CPUs a Linux kernel can be built for (NR_CPUS with MAXSMP); masks here hold this many
// bits.
inline constexpr int kMaxCpus = 8192;

// Parses a list into ascending, unique CPU numbers. False when the text is not a list (`out` is then
// untouched); empty text and white space are the empty list. Stride notation "0-10:2/4" is understood.
bool ParseCpuList(std::string_view text, std::vector<int>* out);

// The shortest list text for ascending CPU numbers; "" for none.
std::string FormatCpuList(const std::vector<int>& cpus);

}  // namespace tscope::cpu
