// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifndef LINNET_NO_THREADS
#include <pthread.h>
#endif

#include <cstddef>

namespace linnet {

// For a thread that only runs parts of kernels, which keep large data in the session's workspace.
inline constexpr size_t kHelperStackBytes = size_t{256} << 10;
// For a thread that runs whole plans.
inline constexpr size_t kRunnerStackBytes = size_t{1} << 20;

// A thread that a library can start in any program: it has a small stack, gets no signals and is
// named linnet/N.
class WorkerThread {
 public:
  // Runs body(argument) on a new thread, whose name contains `number`; false when the system starts
  // none. May be called once, and once more in a child process after fork, where the thread does
  // not exist.
  bool Start(void (*body)(void*), void* argument, int number, size_t stack_bytes);
  void Join();

 private:
  static void* Main(void* self);

#ifndef LINNET_NO_THREADS
  pthread_t thread_{};
#endif
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  int number_ = 0;
};

}  // namespace linnet
