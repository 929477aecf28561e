#include "tscope/cpu/cpulist.h"

#include <algorithm>

namespace tscope::cpu {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Reads a decimal number at `at`; false when there is none or it is not below kMaxCpus.
bool Number(std::string_view text, size_t* at, int* value) {
  const size_t start = *at;
  int n = 0;
  while (*at < text.size() && text[*at] >= '0' && text[*at] <= '9') {
    n = n * 10 + (text[*at] - '0');
    if (n >= kMaxCpus) return false;
    ++*at;
  }
  *value = n;
  return *at > start;
}

bool Accept(std::string_view text, size_t* at, char c) {
  if (*at >= text.size() || text[*at] != c) return false;
  ++*at;
  return true;
}

}  // namespace

bool ParseCpuList(std::string_view text, std::vector<int>* out) {
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  std::vector<int> cpus;
  size_t at = 0;
  while (at < text.size()) {
    int first = 0;
    if (!Number(text, &at, &first)) return false;
    int last = first;
    int used = 1;
    int group = 1;
    if (Accept(text, &at, '-')) {
      if (!Number(text, &at, &last) || last < first) return false;
      if (Accept(text, &at, ':')) {
        if (!Number(text, &at, &used) || !Accept(text, &at, '/') || !Number(text, &at, &group)) return false;
        if (used < 1 || group < used) return false;
      }
    }
    for (int cpu = first; cpu <= last; cpu++) {
      if ((cpu - first) % group < used) cpus.push_back(cpu);
    }
    if (at == text.size()) break;
    if (!Accept(text, &at, ',') || at == text.size()) return false;
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  *out = std::move(cpus);
  return true;
}

std::string FormatCpuList(const std::vector<int>& cpus) {
  std::string text;
  for (size_t i = 0; i < cpus.size();) {
    size_t j = i;
    while (j + 1 < cpus.size() && cpus[j + 1] == cpus[j] + 1) j++;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (j > i) text += (j == i + 1 ? ',' : '-') + std::to_string(cpus[j]);
    i = j + 1;
  }
  return text;
}

}  // namespace tscope::cpu
