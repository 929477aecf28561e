#include "tscope/cpu/files.h"

#ifndef _WIN32
#include <dirent.h>
#endif

#include <cstdio>
#include <memory>

namespace tscope::cpu {

bool DiskFiles::Text(const std::string& path, std::string* text) const {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen((root_ + "/" + path).c_str(), "r"), std::fclose);
  if (!file) return false;
  std::string out;
  char block[4096];
  // Files of /proc and /sys say they are empty, so they are read until they end.
  while (const size_t n = std::fread(block, 1, sizeof block, file.get())) out.append(block, n);
  if (std::ferror(file.get())) return false;
  *text = std::move(out);
  return true;
}

// Windows has no /proc and no /sys to list.
#ifdef _WIN32
std::vector<std::string> DiskFiles::List(const std::string&) const { return {}; }
#else
std::vector<std::string> DiskFiles::List(const std::string& path) const {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir((root_ + "/" + path).c_str()), closedir);
  if (!dir) return names;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

#endif

}  // namespace tscope::cpu
