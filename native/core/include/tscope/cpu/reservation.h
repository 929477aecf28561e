// Reserving CPUs across processes with lock files. The lock is the kernel's (an open file description lock),
// not the file's existence: when its holder dies, however it dies, the CPU is free in the same moment and
// nothing is left to clean up. Files stay behind on purpose, because deleting a lock file that others may
// have open loses the exclusion.
#pragma once

#include <string>
#include <vector>

namespace tscope::cpu {

// Who holds a CPU, as it wrote down itself. pid = 0 when the file says nothing usable (yet).
struct Holder {
  int cpu = -1;
  int pid = 0;  // in the holder's own pid namespace
  std::string command;
};

// All or nothing over a set of CPUs; released on destruction. Locks of two Reservation objects exclude each
// other in one process as well. Linux only.
class Reservation {
 public:
  Reservation() = default;
  ~Reservation() { Release(); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  // Takes every CPU of `cpus` in folder `directory` (made if missing, for all users), in ascending order, and
  // writes `command` down. EWOULDBLOCK: one is taken, by `holder`; EALREADY: this object holds some already.
  // On an error nothing is held.
  int Acquire(const std::string& directory, const std::vector<int>& cpus, const std::string& command,
              Holder* holder);
  void Release();
  bool held() const { return !files_.empty(); }

 private:
  std::vector<int> files_;
};

// CPUs that are held now, without disturbing anybody (the locks are queried, never taken).
int ListReservations(const std::string& directory, std::vector<Holder>* holders);

}  // namespace tscope::cpu
