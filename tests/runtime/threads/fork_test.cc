// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/runtime/threads/opened_team.h"

namespace linnet {
namespace {

// The result of `child` in a forked process, or -1 when it did not end within a minute.
template <typename Child>
int InChild(const Child& child) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    _exit(child());
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TeamAfterFork, TheChildDoesAllItselfAndCloses) {
  for (const int pause_us : {0, 1000}) {
    OpenedTeam team = OpenTeam(4);
    EXPECT_TRUE(VisitsEachOnce(*team, 50));
    usleep(static_cast<useconds_t>(pause_us));
    EXPECT_EQ(InChild([&] {
                const bool right = VisitsEachOnce(*team, 50);
                team.reset();
                return right ? 0 : 1;
              }),
              0);
    EXPECT_TRUE(VisitsEachOnce(*team, 50)) << "the parent goes on";
  }
}

TEST(TeamAfterFork, InTheMiddleOfAJobOfAnotherThread) {
  const OpenedTeam team = OpenTeam(3);
  std::atomic<bool> stop = false;
  std::thread caller([&] {
    while (!stop) EXPECT_TRUE(VisitsEachOnce(*team, 50));
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(InChild([&] { return VisitsEachOnce(*team, 50) ? 0 : 1; }), 0);
  stop = true;
  caller.join();
}

// ThreadSanitizer does not allow new threads there.
#if !defined(__SANITIZE_THREAD__)
TEST(TeamAfterFork, TheChildOpensOneOfItsOwn) {
  const OpenedTeam team = OpenTeam(2);
  EXPECT_EQ(InChild([&] {
              const OpenedTeam own = OpenTeam(3);
              if (own->threads() != 3 || !VisitsEachOnce(*own, 50)) return 1;
              return InChild([&] { return VisitsEachOnce(*own, 50) ? 0 : 1; });
            }),
            0);
}
#endif

}  // namespace
}  // namespace linnet
