// SPDX-License-Identifier: Apache-2.0
// Teams when the system cannot start threads.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>

#include "tests/runtime/threads/opened_team.h"

namespace {

std::atomic<int> attempts = 0;
std::atomic<int> allowed = -1;  // number of attempts that succeed; -1: all
// False: only threads with the system's default stack size can start.
std::atomic<bool> small_stacks = true;

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*body)(void*), void* argument) {
  using Create = decltype(&pthread_create);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (attributes != nullptr && !small_stacks) return EINVAL;
  const int number = attempts++;
  if (allowed >= 0 && number >= allowed) return EAGAIN;
  return real(thread, attributes, body, argument);
}

namespace linnet {
namespace {

TEST(ThreadStart, ATeamIsAsLargeAsTheSystemLetsItBe) {
  for (int threads = 2; threads <= 8; ++threads)
    for (int given = 0; given < threads; ++given) {
      attempts = 0;
      allowed = given;
      const OpenedTeam team = OpenTeam(threads);
      EXPECT_EQ(team->threads(), 1 + given);
      EXPECT_TRUE(VisitsEachOnce(*team, 40));
      allowed = -1;
    }
}

TEST(ThreadStart, TheSystemsStackWhereOursIsTooSmall) {
  small_stacks = false;
  const OpenedTeam team = OpenTeam(3);
  small_stacks = true;
  EXPECT_EQ(team->threads(), 3);
  EXPECT_TRUE(VisitsEachOnce(*team, 40));
}

}  // namespace
}  // namespace linnet
