// Recorded machines: `== path` lines, each followed by the text of that file.
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "tscope/cpu/files.h"

class RecordedFiles : public tscope::cpu::Files {
 public:
  explicit RecordedFiles(const std::string& name) {
    std::ifstream in(std::string(TSCOPE_MACHINES) + "/" + name + ".tree");
    std::string path;
    for (std::string line; std::getline(in, line);) {
      if (line.compare(0, 3, "== ") == 0) {
        path = line.substr(3);
        files_[path];
      } else if (!path.empty()) {
        files_[path] += line + "\n";
      }
    }
  }
  bool empty() const { return files_.empty(); }

  bool Text(const std::string& path, std::string* text) const override {
    const auto found = files_.find(path);
    if (found == files_.end()) return false;
    *text = found->second;
    return true;
  }

  std::vector<std::string> List(const std::string& path) const override {
    std::vector<std::string> names;
    const std::string prefix = path + "/";
    for (const auto& [file, text] : files_) {
      if (file.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string name = file.substr(prefix.size(), file.find('/', prefix.size()) - prefix.size());
      if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
  }

 private:
  std::map<std::string, std::string> files_;
};
