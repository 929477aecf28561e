#ifdef __linux__
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "tscope/cpu/reservation.h"

namespace tscope::cpu {

namespace {

constexpr char kPrefix[] = "cpu-";
constexpr char kSuffix[] = ".lock";

std::string PathOf(const std::string& directory, int cpu) {
  return directory + "/" + kPrefix + std::to_string(cpu) + kSuffix;
}

struct flock WholeFile() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// Every user must be able to lock, whatever the umask of the one who came first. O_CREAT only when the file
// is missing: with fs.protected_regular even root may not open somebody else's file in /tmp with that flag.
int OpenLock(const std::string& path, int* fd) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  for (int attempt = 0; attempt < 10; attempt++) {
    *fd = open(path.c_str(), kFlags);
    if (*fd >= 0) return 0;
    if (errno != ENOENT) return errno;
    *fd = open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    if (*fd >= 0) return fchmod(*fd, 0666) == 0 ? 0 : errno;
    if (errno != EEXIST) return errno;
  }
  return EAGAIN;
}

int MakeDirectory(const std::string& directory) {
  if (mkdir(directory.c_str(), 0777) == 0) return chmod(directory.c_str(), 01777) == 0 ? 0 : errno;
  return errno == EEXIST ? 0 : errno;
}

// First line: pid, a space, the command. The text is complete only with its newline.
bool ReadHolder(int fd, Holder* holder) {
  char text[512];
  const ssize_t n = pread(fd, text, sizeof text - 1, 0);
  if (n <= 0) return false;
  text[n] = '\0';
  const std::string line(text);
  const size_t end = line.find('\n');
  if (end == std::string::npos) return false;
  char* rest = nullptr;
  const long pid = std::strtol(line.c_str(), &rest, 10);
  if (pid <= 0 || *rest != ' ') return false;
  holder->pid = static_cast<int>(pid);
  holder->command = line.substr(rest + 1 - line.c_str(), end - (rest + 1 - line.c_str()));
  return true;
}

int WriteHolder(int fd, const std::string& command) {
  std::string line = std::to_string(getpid()) + " " + command.substr(0, 400);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  line += '\n';
  const ssize_t n = pwrite(fd, line.data(), line.size(), 0);
  return n == static_cast<ssize_t>(line.size()) ? 0 : n < 0 ? errno : ENOSPC;
}

void Pause() {
  const timespec ms{0, 1000000};
  nanosleep(&ms, nullptr);
}

int LockOne(const std::string& path, const std::string& command, int* fd, Holder* holder) {
  if (const int error = OpenLock(path, fd)) return error;
  int error = 0;
  struct flock lock = WholeFile();
  if (fcntl(*fd, F_OFD_SETLK, &lock) != 0) error = errno == EACCES ? EAGAIN : errno;
  // Emptied first: a crashed holder's longer line must not show behind the new one.
  if (error == 0 && ftruncate(*fd, 0) != 0) error = errno;
  if (error == 0) error = WriteHolder(*fd, command);
  if (error == 0) return 0;
  // The winner may be between locking and writing; it needs microseconds.
  for (int i = 0; error == EAGAIN && i < 20 && !ReadHolder(*fd, holder); i++) Pause();
  close(*fd);
  return error;
}

}  // namespace

int Reservation::Acquire(const std::string& directory, const std::vector<int>& cpus,
                         const std::string& command, Holder* holder) {
  if (held()) return EALREADY;
  if (cpus.empty()) return EINVAL;
  if (const int error = MakeDirectory(directory)) return error;
  // One order for everybody, so that of two that want overlapping sets one gets through.
  std::vector<int> sorted = cpus;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (int cpu : sorted) {
    int fd = -1;
    *holder = Holder();
    holder->cpu = cpu;
    if (const int error = LockOne(PathOf(directory, cpu), command, &fd, holder)) {
      Release();
      return error;
    }
    files_.push_back(fd);
  }
  return 0;
}

void Reservation::Release() {
  for (int fd : files_) {
    // Best effort: what a crashed holder leaves behind is not believed either, only the lock is.
    if (ftruncate(fd, 0) != 0) errno = 0;
    close(fd);
  }
  files_.clear();
}

int ListReservations(const std::string& directory, std::vector<Holder>* holders) {
  holders->clear();
  std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(directory.c_str()), closedir);
  if (!dir) return errno == ENOENT ? 0 : errno;
  while (const dirent* entry = readdir(dir.get())) {
    const std::string name = entry->d_name;
    const size_t prefix = sizeof kPrefix - 1;
    if (name.compare(0, prefix, kPrefix) != 0) continue;
    char* rest = nullptr;
    const long cpu = std::strtol(name.c_str() + prefix, &rest, 10);
    if (cpu < 0 || std::string(rest) != kSuffix) continue;
    const int fd = open((directory + "/" + name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) continue;
    struct flock lock = WholeFile();
    Holder holder;
    holder.cpu = static_cast<int>(cpu);
    if (fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
      for (int i = 0; i < 20 && !ReadHolder(fd, &holder); i++) Pause();
      holders->push_back(holder);
    }
    close(fd);
  }
  std::sort(holders->begin(), holders->end(), [](const Holder& a, const Holder& b) { return a.cpu < b.cpu; });
  return 0;
}

}  // namespace tscope::cpu
#endif
