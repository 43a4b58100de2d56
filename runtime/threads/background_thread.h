// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "runtime/threads/worker_thread.h"

namespace linnet {

// A thread that does one task at a time for another thread, which asks for the result later. May be
// used by one thread at a time.
class BackgroundThread {
 public:
  BackgroundThread() = default;
  ~BackgroundThread();  // waits for the task
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;

  // Begins task(context). The first call starts the thread; false when the system starts none.
  // REQUIRES: no task is under way.
  bool Begin(void (*task)(void*), void* context);

  enum class Outcome {
    kDone,     // the task has ended, what it wrote can be read
    kRunning,  // the time is up, the task has not ended
    kGone,     // this is a child process after fork, in which the task does not run
  };
  // Waits for the task that was begun, at most `timeout_ns` nanoseconds (negative: no limit).
  Outcome Wait(int64_t timeout_ns);

 private:
  enum State : uint32_t { kIdle, kBusy, kStop };

  static void Main(void* self);
  bool IsHere() const;

  WorkerThread thread_;
  bool started_ = false;
  uint32_t forks_ = 0;  // when it started
  void (*task_)(void*) = nullptr;
  void* context_ = nullptr;
  std::atomic<uint32_t> state_{kIdle};  // both threads sleep on it
};

}  // namespace linnet
