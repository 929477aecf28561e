#include "tscope/cpu/lifetime.h"

#include <doctest/doctest.h>

#include <cerrno>

#ifdef __linux__
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace tscope::cpu;

#ifdef __linux__
TEST_CASE("a process ends with the one that started it") {
  int life[2];
  int ready[2];
  REQUIRE(pipe(life) == 0);
  REQUIRE(pipe(ready) == 0);
  const pid_t parent = fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    if (fork() == 0) {
      const char answer = EndWithParent() == 0 ? 'y' : 'n';
      if (write(ready[1], &answer, 1) != 1) _exit(1);
      for (;;) pause();
    }
    char answer = 0;
    const bool read_it = read(ready[0], &answer, 1) == 1;
    _exit(read_it && answer == 'y' ? 0 : 1);
  }
  close(life[1]);
  int status = -1;
  CHECK(waitpid(parent, &status, 0) == parent);
  CHECK(status == 0);
  // The grandchild is the only one left that holds the other end.
  pollfd end{life[0], POLLIN, 0};
  CHECK(poll(&end, 1, 10000) == 1);
  char byte = 0;
  CHECK(read(life[0], &byte, 1) == 0);
  close(life[0]);
  close(ready[0]);
  close(ready[1]);
}
#else
TEST_CASE("elsewhere a process outlives its parent") { CHECK(EndWithParent() == ENOTSUP); }
#endif
