#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tscope/counters/events.h"
#include "tscope/counters/group.h"

namespace tscope::counters {

namespace {

int OpenEvent(const Event& event, int leader, bool kernel) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.disabled = leader < 0;  // members follow their leader
  attr.exclude_kernel = !kernel && !event.in_kernel;
  attr.exclude_hv = attr.exclude_kernel;
  attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const int self = 0;
  const int any_cpu = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, self, any_cpu, leader, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

int Group::Open(const std::vector<std::string>& names, const Options& options, std::vector<Failure>* failed) {
  Close();
  failed->clear();
  if (names.empty()) return EINVAL;
  if (names.size() > kMaxEvents) return E2BIG;
  for (const std::string& name : names) {
    const Event* event = FindEvent(name.c_str());
    const int leader = files_.empty() ? -1 : files_[0];
    const int file = event ? OpenEvent(*event, leader, options.kernel) : -1;
    uint64_t id = 0;
    const int error = !event                                     ? EINVAL
                      : file < 0                                 ? errno
                      : ioctl(file, PERF_EVENT_IOC_ID, &id) != 0 ? errno
                                                                 : 0;
    if (error != 0) {
      if (file >= 0) close(file);
      failed->push_back({name, error});
      continue;
    }
    ids_[files_.size()] = id;
    files_.push_back(file);
    names_.push_back(name);
  }
  if (files_.empty()) return failed->front().error;
  if (ioctl(files_[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) != 0) {
    const int error = errno;
    Close();
    return error;
  }
  return 0;
}

int Group::Read(Sample* sample) const {
  if (files_.empty()) return EBADF;
  uint64_t words[SampleWords(kMaxEvents)];
  const ssize_t n = read(files_[0], words, sizeof words);
  if (n < 0) return errno;
  return ParseSample(words, static_cast<size_t>(n) / sizeof words[0], ids_, files_.size(), sample) ? 0 : EIO;
}

void Group::Close() {
  // Members first: closing a leader turns its members into groups of their own for a moment.
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) close(*file);
  files_.clear();
  names_.clear();
}

}  // namespace tscope::counters
#endif
