#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "tscope/cpu/cpulist.h"
#include "tscope/cpu/topology.h"

namespace tscope::cpu {

namespace {

struct Mount {
  std::string root;   // part of the hierarchy that is visible
  std::string point;  // where
  bool v2 = false;
  std::string options;  // ",cpu,cpuacct," for v1
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Mount> Mounts(const Files& files) {
  std::vector<Mount> mounts;
  std::string text;
  if (!files.Text("proc/self/mountinfo", &text)) return mounts;
  for (const std::string& line : Split(text, '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = Split(line.substr(0, dash), ' ');
    const std::vector<std::string> after = Split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3 || before[4][0] != '/') continue;
    if (after[0] != "cgroup" && after[0] != "cgroup2") continue;
    mounts.push_back({before[3], before[4], after[0] == "cgroup2", "," + after[2] + ","});
  }
  return mounts;
}

// The group's folder and those of its ancestors as far as the mount shows them. In a container the mount's
// root is the group itself, so that root is taken off the path; a path outside of it can only be seen as the
// mount point.
std::vector<std::string> FoldersUp(const Mount& mount, const std::string& path) {
  const std::string base = mount.root == "/" ? "" : mount.root;
  std::string rest = path.compare(0, base.size() + 1, base + "/") == 0 ? path.substr(base.size()) : "";
  if (rest == "/") rest.clear();
  std::vector<std::string> folders;
  for (;;) {
    folders.push_back(mount.point.substr(1) + rest);  // Files has no leading slash
    if (rest.empty()) return folders;
    rest.erase(rest.rfind('/'));
  }
}

double Ratio(const std::string& quota, const std::string& period) {
  const double q = std::strtod(quota.c_str(), nullptr);  // "max" and "-1" (no limit) are not positive
  const double p = std::strtod(period.c_str(), nullptr);
  return q > 0 && p > 0 ? q / p : -1;
}

double QuotaIn(const Files& files, const std::string& folder, bool v2) {
  std::string quota;
  std::string period;
  if (!v2) {
    return files.Text(folder + "/cpu.cfs_quota_us", &quota) &&
                   files.Text(folder + "/cpu.cfs_period_us", &period)
               ? Ratio(quota, period)
               : -1;
  }
  if (!files.Text(folder + "/cpu.max", &quota)) return -1;
  const std::vector<std::string> words = Split(quota, ' ');
  return words.size() == 2 ? Ratio(words[0], words[1]) : -1;
}

bool CpusetIn(const Files& files, const std::string& folder, bool v2, CpuList* out) {
  for (const char* name : {v2 ? "/cpuset.cpus.effective" : "/cpuset.effective_cpus", "/cpuset.cpus"}) {
    std::string text;
    std::vector<int> cpus;
    if (!files.Text(folder + name, &text) || !ParseCpuList(text, &cpus) || cpus.empty()) continue;
    *out = cpus;
    return true;
  }
  return false;
}

}  // namespace

// lib/cpu/environment.ts reads the quota too, because results name it without the addon; a test holds the two
// together.
void ReadCgroup(const Files& files, CpuList* cpuset, double* quota) {
  *cpuset = std::nullopt;
  *quota = -1;
  std::string text;
  if (!files.Text("proc/self/cgroup", &text)) return;
  const std::vector<Mount> mounts = Mounts(files);
  for (const std::string& line : Split(text, '\n')) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const bool v2 = line.compare(0, second + 1, "0::") == 0;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    for (const char* controller : {",cpu,", ",cpuset,"}) {
      if (!v2 && controllers.find(controller) == std::string::npos) continue;
      const auto mount = std::find_if(mounts.begin(), mounts.end(), [&](const Mount& m) {
        return m.v2 == v2 && (v2 || m.options.find(controller) != std::string::npos);
      });
      if (mount == mounts.end()) continue;
      const bool wants_cpuset = controller[4] == 's';
      for (const std::string& folder : FoldersUp(*mount, path)) {
        if (wants_cpuset) {
          if (*cpuset || CpusetIn(files, folder, v2, cpuset)) break;
        } else {
          const double q = QuotaIn(files, folder, v2);
          if (q > 0 && (*quota < 0 || q < *quota)) *quota = q;
        }
      }
    }
  }
}

}  // namespace tscope::cpu
