#include "tscope/jitter/proc.h"

#include <cstdlib>
#include <sstream>

namespace tscope::jitter {
namespace {

std::optional<int64_t> Number(const std::string& text) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (end == text.c_str() || (*end != '\0' && *end != '\n')) return std::nullopt;
  return value;
}

/// The number after `key` at the start of a line (`key 12` or `key:<tab>12`).
std::optional<uint64_t> ValueOf(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    uint64_t value;
    if (words >> name >> value && (name == key || name == key + ":")) return value;
  }
  return std::nullopt;
}

void AddUpward(const std::string& mount, std::string path, std::vector<std::string>* files) {
  for (;;) {
    files->push_back(mount + (path == "/" ? "" : path) + "/cpu.stat");
    const size_t slash = path.rfind('/');
    if (path == "/" || slash == std::string::npos) return;
    path = slash == 0 ? "/" : path.substr(0, slash);
  }
}

}  // namespace

std::optional<uint64_t> ColumnSum(const std::string& text, int cpu) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line)) return std::nullopt;
  size_t columns = 0;
  std::optional<size_t> wanted;
  std::istringstream header(line);
  for (std::string name; header >> name; columns++) {
    if (name == "CPU" + std::to_string(cpu)) wanted = columns;
  }
  if (!wanted) return std::nullopt;
  uint64_t sum = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    uint64_t found = 0;
    size_t column = 0;
    for (uint64_t value; column < columns && words >> value; column++) {
      if (column == *wanted) found = value;
    }
    if (column == columns) sum += found;
  }
  return sum;
}

std::optional<uint64_t> StealTicks(const std::string& text, int cpu) {
  std::istringstream lines(text);
  std::string line;
  const std::string wanted = "cpu" + std::to_string(cpu);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name != wanted) continue;
    // user nice system idle iowait irq softirq steal
    uint64_t value = 0;
    for (int field = 0; field < 8; field++) {
      if (!(words >> value)) return std::nullopt;
    }
    return value;
  }
  return std::nullopt;
}

std::optional<Switches> SwitchesOf(const std::string& text) {
  const auto voluntary = ValueOf(text, "voluntary_ctxt_switches");
  const auto involuntary = ValueOf(text, "nonvoluntary_ctxt_switches");
  if (!voluntary || !involuntary) return std::nullopt;
  return Switches{*voluntary, *involuntary};
}

std::optional<uint64_t> RunDelayNs(const std::string& text) {
  std::istringstream words(text);
  uint64_t run, wait;
  if (!(words >> run >> wait)) return std::nullopt;
  return wait;
}

std::optional<Throttling> ThrottlingOf(const std::string& text) {
  const auto times = ValueOf(text, "nr_throttled");
  if (!times) return std::nullopt;
  if (const auto us = ValueOf(text, "throttled_usec")) return Throttling{*times, *us * 1000};
  if (const auto ns = ValueOf(text, "throttled_time")) return Throttling{*times, *ns};
  return std::nullopt;
}

std::vector<std::string> ThrottlingFiles(const std::string& self_cgroup) {
  std::vector<std::string> files;
  std::istringstream lines(self_cgroup);
  std::string line;
  while (std::getline(lines, line)) {
    // hierarchy:controllers:path
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      AddUpward("/sys/fs/cgroup", path, &files);
      AddUpward("/sys/fs/cgroup/unified", path, &files);
      continue;
    }
    std::istringstream names(controllers);
    for (std::string name; std::getline(names, name, ',');) {
      if (name == "cpu") AddUpward("/sys/fs/cgroup/cpu", path, &files);
    }
  }
  return files;
}

uint64_t RealTimePauseNs(const std::string& period_us, const std::string& runtime_us) {
  const auto period = Number(period_us);
  const auto runtime = Number(runtime_us);
  if (!period || !runtime || *runtime < 0 || *runtime >= *period) return 0;
  return static_cast<uint64_t>(*period - *runtime) * 1000;
}

}  // namespace tscope::jitter
