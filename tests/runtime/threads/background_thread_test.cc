// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/background_thread.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <thread>

namespace linnet {
namespace {

using Outcome = BackgroundThread::Outcome;

constexpr int64_t kMillisecond = 1'000'000;

// A task that runs until it is told to end.
struct Gate {
  std::atomic<bool> open = false;
  std::thread::id thread;
  static void Pass(void* raw) {
    auto* self = static_cast<Gate*>(raw);
    self->thread = std::this_thread::get_id();
    while (!self->open) usleep(100);
  }
};

TEST(BackgroundThread, DoesOneTaskAfterTheOther) {
  BackgroundThread thread;
  int count = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(thread.Begin([](void* context) { ++*static_cast<int*>(context); }, &count));
    ASSERT_EQ(thread.Wait(-1), Outcome::kDone);
    ASSERT_EQ(count, i + 1);
  }
}

TEST(BackgroundThread, IsAnotherThread) {
  BackgroundThread thread;
  Gate gate;
  gate.open = true;
  ASSERT_TRUE(thread.Begin(Gate::Pass, &gate));
  EXPECT_EQ(thread.Wait(-1), Outcome::kDone);
  EXPECT_NE(gate.thread, std::this_thread::get_id());
}

TEST(BackgroundThread, AWaitEndsInTime) {
  BackgroundThread thread;
  Gate gate;
  ASSERT_TRUE(thread.Begin(Gate::Pass, &gate));
  EXPECT_EQ(thread.Wait(0), Outcome::kRunning);
  EXPECT_EQ(thread.Wait(2 * kMillisecond), Outcome::kRunning);
  gate.open = true;
  EXPECT_EQ(thread.Wait(INT64_MAX), Outcome::kDone);
  EXPECT_EQ(thread.Wait(0), Outcome::kDone);
}

TEST(BackgroundThread, EndsWithItsTask) {
  Gate gate;
  std::thread opener;
  {
    BackgroundThread thread;
    ASSERT_TRUE(thread.Begin(Gate::Pass, &gate));
    opener = std::thread([&] {
      usleep(2000);
      gate.open = true;
    });
  }
  EXPECT_TRUE(gate.open);
  opener.join();
}

TEST(BackgroundThread, IsNotInAChildOfFork) {
  std::optional<BackgroundThread> thread(std::in_place);
  Gate gate;
  ASSERT_TRUE(thread->Begin(Gate::Pass, &gate));
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    const bool gone = thread->Wait(-1) == Outcome::kGone;
    thread.reset();
    _exit(gone ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  gate.open = true;
  EXPECT_EQ(thread->Wait(-1), Outcome::kDone);
}

}  // namespace
}  // namespace linnet
