#ifdef __linux__
#include "tscope/cpu/reservation.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>

using namespace tscope::cpu;

namespace {

// A folder for lock files that is gone after the test.
struct Folder {
  std::string root = P_tmpdir "/tscope-reservation-XXXXXX";
  std::string path;
  Folder() {
    REQUIRE(mkdtemp(root.data()) != nullptr);
    path = root + "/cpus";
  }
  ~Folder() {
    for (int cpu = 0; cpu < 8; cpu++) unlink((path + "/cpu-" + std::to_string(cpu) + ".lock").c_str());
    rmdir(path.c_str());
    rmdir(root.c_str());
  }
};

}  // namespace

TEST_CASE("exclusive inside one process, named, free after release") {
  const Folder made;
  const std::string& folder = made.path;
  Reservation first;
  Reservation second;
  Holder holder;
  CHECK(first.Acquire(folder, {3, 1}, "first", &holder) == 0);
  CHECK(first.Acquire(folder, {5}, "first", &holder) == EALREADY);
  CHECK(second.Acquire(folder, {0, 3}, "second", &holder) == EAGAIN);
  CHECK(holder.cpu == 3);
  CHECK(holder.pid == getpid());
  CHECK(holder.command == "first");
  std::vector<Holder> holders;
  CHECK(ListReservations(folder, &holders) == 0);
  REQUIRE(holders.size() == 2);  // CPU 0 was given back
  CHECK(holders[0].cpu == 1);
  first.Release();
  CHECK(second.Acquire(folder, {0, 3}, "second", &holder) == 0);
  CHECK(second.Acquire(folder, {}, "none", &holder) == EALREADY);
}

TEST_CASE("two processes race 1,000 times for the same CPU and never both hold it") {
  const Folder made;
  const std::string& folder = made.path;
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(page != MAP_FAILED);
  struct Shared {
    std::atomic<int> inside{0};
    std::atomic<int> both{0};
    std::atomic<int> lost{0};
  };
  Shared* shared = new (page) Shared;
  const auto race = [&] {
    for (int won = 0; won < 1000;) {
      Reservation reservation;
      Holder holder;
      if (reservation.Acquire(folder, {0}, "racer", &holder) != 0) {
        shared->lost++;
        continue;
      }
      won++;
      if (shared->inside.fetch_add(1) != 0) shared->both++;
      if (won % 16 == 0) usleep(200);
      shared->inside--;
    }
  };
  const pid_t child = fork();
  if (child == 0) {
    race();
    _exit(0);
  }
  race();
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(shared->both == 0);
  CHECK(shared->lost > 0);
  munmap(page, 4096);
}

TEST_CASE("a killed holder's CPU is free at once") {
  const Folder made;
  const std::string& folder = made.path;
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    Reservation reservation;
    Holder holder;
    const char ok = reservation.Acquire(folder, {7}, "victim", &holder) == 0;
    if (write(ready[1], &ok, 1) == 1) pause();
    _exit(1);
  }
  char ok = 0;
  REQUIRE(read(ready[0], &ok, 1) == 1);
  CHECK(ok == 1);
  Reservation mine;
  Holder holder;
  CHECK(mine.Acquire(folder, {7}, "mine", &holder) == EAGAIN);
  CHECK(holder.pid == child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(mine.Acquire(folder, {7}, "mine", &holder) == 0);
}
#endif
