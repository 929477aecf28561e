#include "tscope/cpu/topology.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "tscope/cpu/cpulist.h"

namespace tscope::cpu {

namespace {

constexpr char kCpuRoot[] = "sys/devices/system/cpu";

std::string Trimmed(std::string text) {
  const auto space = [](char c) { return c == '\n' || c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.back())) text.pop_back();
  return text;
}

std::string TextOr(const Files& files, const std::string& path, const char* fallback) {
  std::string text;
  return files.Text(path, &text) ? Trimmed(std::move(text)) : fallback;
}

// A whole non-negative number below 2^53 with nothing around it; -1 otherwise.
int64_t Number(const std::string& text) {
  if (text.empty() || text.size() > 15 || text.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  return std::strtoll(text.c_str(), nullptr, 10);
}

int SmallNumber(const Files& files, const std::string& path) {
  const int64_t value = Number(TextOr(files, path, ""));
  return value <= INT32_MAX ? static_cast<int>(value) : -1;
}

CpuList List(const Files& files, const std::string& path) {
  std::string text;
  std::vector<int> cpus;
  if (!files.Text(path, &text)) return std::nullopt;
  if (Trimmed(text) == "(null)") return cpus;  // how the kernel prints an empty nohz_full
  if (!ParseCpuList(text, &cpus)) return std::nullopt;
  return cpus;
}

bool Has(const std::vector<int>& cpus, int cpu) { return std::binary_search(cpus.begin(), cpus.end(), cpu); }

// "32K", "2048K", "32M" in bytes; -1 otherwise.
int64_t Size(std::string text) {
  int64_t unit = 1;
  if (!text.empty() && (text.back() == 'K' || text.back() == 'M' || text.back() == 'G')) {
    unit = text.back() == 'K' ? 1 << 10 : text.back() == 'M' ? 1 << 20 : 1 << 30;
    text.pop_back();
  }
  const int64_t value = Number(text);
  return value < 0 ? -1 : value * unit;
}

void AddCaches(const Files& files, const std::string& folder, std::vector<Cache>* caches) {
  for (int index = 0; index < 16; index++) {
    const std::string base = folder + "/cache/index" + std::to_string(index);
    Cache cache;
    const CpuList shared = List(files, base + "/shared_cpu_list");
    cache.level = SmallNumber(files, base + "/level");
    if (cache.level < 1 || !shared || shared->empty()) {
      if (index >= 4) break;
      continue;
    }
    cache.type = TextOr(files, base + "/type", "");
    cache.bytes = Size(TextOr(files, base + "/size", ""));
    cache.line_bytes = SmallNumber(files, base + "/coherency_line_size");
    cache.cpus = *shared;
    const bool known = std::any_of(caches->begin(), caches->end(), [&](const Cache& other) {
      return other.level == cache.level && other.type == cache.type && other.cpus == cache.cpus;
    });
    if (!known) caches->push_back(std::move(cache));
  }
}

// The core of a CPU: an existing one that lists it, or a new one.
int CoreOf(const Files& files, const std::string& folder, int cpu, const std::vector<int>& online,
           std::vector<Core>* cores) {
  for (size_t i = 0; i < cores->size(); i++) {
    if (Has((*cores)[i].cpus, cpu)) return static_cast<int>(i);
  }
  Core core;
  core.package = SmallNumber(files, folder + "/topology/physical_package_id");
  core.id = SmallNumber(files, folder + "/topology/core_id");
  CpuList siblings = List(files, folder + "/topology/thread_siblings_list");
  if (!siblings) siblings = List(files, folder + "/topology/core_cpus_list");
  for (int sibling : siblings.value_or(std::vector<int>{cpu})) {
    if (Has(online, sibling)) core.cpus.push_back(sibling);
  }
  if (!Has(core.cpus, cpu)) core.cpus = {cpu};
  cores->push_back(std::move(core));
  return static_cast<int>(cores->size()) - 1;
}

std::vector<Node> Nodes(const Files& files) {
  std::vector<Node> nodes;
  for (const std::string& name : files.List("sys/devices/system/node")) {
    if (name.compare(0, 4, "node") != 0) continue;
    const int64_t number = Number(name.substr(4));
    const CpuList cpus = List(files, "sys/devices/system/node/" + name + "/cpulist");
    if (number >= 0 && number < kMaxCpus && cpus) nodes.push_back({static_cast<int>(number), *cpus});
  }
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.node < b.node; });
  return nodes;
}

CpuList Allowed(const Files& files) {
  const std::string key = "\nCpus_allowed_list:";
  const std::string text = "\n" + TextOr(files, "proc/self/status", "");
  const size_t at = text.find(key);
  if (at == std::string::npos) return std::nullopt;
  const size_t start = at + key.size();
  std::vector<int> cpus;
  if (!ParseCpuList(std::string_view(text).substr(start, text.find('\n', start) - start), &cpus))
    return std::nullopt;
  return cpus;
}

}  // namespace

int ReadTopology(const Files& files, Topology* out) {
  Topology t;
  const std::string root = kCpuRoot;
  const CpuList online = List(files, root + "/online");
  if (!online || online->empty()) return ENOENT;
  t.online = *online;
  t.isolated = List(files, root + "/isolated");
  t.nohz_full = List(files, root + "/nohz_full");
  t.allowed = Allowed(files);
  t.nodes = Nodes(files);
  const int64_t smt = Number(TextOr(files, root + "/smt/active", ""));
  if (smt >= 0) t.smt_active = smt == 1;
  ReadCgroup(files, &t.cpuset, &t.quota);
  const CpuList performance = List(files, "sys/devices/cpu_core/cpus");
  const CpuList efficiency = List(files, "sys/devices/cpu_atom/cpus");
  const std::vector<int64_t> interrupts = ParseInterrupts(TextOr(files, "proc/interrupts", ""));
  for (int number : t.online) {
    const std::string folder = root + "/cpu" + std::to_string(number);
    Cpu cpu;
    cpu.cpu = number;
    cpu.core = CoreOf(files, folder, number, t.online, &t.cores);
    cpu.package = t.cores[cpu.core].package;
    cpu.capacity = SmallNumber(files, folder + "/cpu_capacity");
    cpu.max_khz = Number(TextOr(files, folder + "/cpufreq/cpuinfo_max_freq", ""));
    if (performance && Has(*performance, number)) cpu.kind = "performance";
    if (efficiency && Has(*efficiency, number)) cpu.kind = "efficiency";
    if (number < static_cast<int>(interrupts.size())) cpu.interrupts = interrupts[number];
    for (const Node& node : t.nodes) {
      if (Has(node.cpus, number)) cpu.node = node.node;
    }
    AddCaches(files, folder, &t.caches);
    t.cpus.push_back(std::move(cpu));
  }
  std::stable_sort(t.caches.begin(), t.caches.end(), [](const Cache& a, const Cache& b) {
    return a.level != b.level ? a.level < b.level : a.type < b.type;
  });
  *out = std::move(t);
  return 0;
}

std::vector<int64_t> ParseInterrupts(const std::string& text) {
  std::vector<int> columns;  // CPU number of each column; offline CPUs have none
  std::vector<int64_t> counts;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::vector<std::string> words;
    for (size_t at = start; at < end;) {
      const size_t from = text.find_first_not_of(" \t", at);
      if (from == std::string::npos || from >= end) break;
      const size_t to = std::min(text.find_first_of(" \t\n", from), end);
      words.push_back(text.substr(from, to - from));
      at = to;
    }
    start = end + 1;
    if (words.empty()) continue;
    if (columns.empty()) {
      for (const std::string& word : words) {
        const int64_t cpu = word.compare(0, 3, "CPU") == 0 ? Number(word.substr(3)) : -1;
        if (cpu < 0 || cpu >= kMaxCpus) return {};
        columns.push_back(static_cast<int>(cpu));
      }
      counts.assign(static_cast<size_t>(*std::max_element(columns.begin(), columns.end())) + 1, -1);
      for (int cpu : columns) counts[cpu] = 0;
      continue;
    }
    if (words[0].back() != ':' || Number(words[0].substr(0, words[0].size() - 1)) < 0) continue;
    for (size_t i = 0; i < columns.size() && i + 1 < words.size(); i++) {
      const int64_t count = Number(words[i + 1]);
      if (count > 0) counts[columns[i]] += count;
    }
  }
  return counts;
}

}  // namespace tscope::cpu
