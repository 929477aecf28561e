// Small text files of /proc and /sys, read through an interface so that recorded machines can stand in for
// the real one.
#pragma once

#include <string>
#include <vector>

namespace tscope::cpu {

class Files {
 public:
  virtual ~Files() = default;
  // Whole text of a file (path without a leading slash); false when it is missing or unreadable.
  virtual bool Text(const std::string& path, std::string* text) const = 0;
  // Names in a folder, in no order; empty when it is missing.
  virtual std::vector<std::string> List(const std::string& path) const = 0;
};

// The files below a root folder; "/" = this machine.
class DiskFiles : public Files {
 public:
  explicit DiskFiles(std::string root) : root_(std::move(root)) {}
  bool Text(const std::string& path, std::string* text) const override;
  std::vector<std::string> List(const std::string& path) const override;

 private:
  std::string root_;
};

}  // namespace tscope::cpu
