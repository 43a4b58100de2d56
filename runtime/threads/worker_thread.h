// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>

#include <cstddef>

namespace linnet {

// Of a thread that only runs parts of kernels, which keep what is large in the session's workspace.
inline constexpr size_t kHelperStackBytes = size_t{256} << 10;
// Of a thread that runs whole plans.
inline constexpr size_t kRunnerStackBytes = size_t{1} << 20;

// A thread as a library may start one in somebody's program: small stack, no signal is delivered to
// it, named linnet/N.
class WorkerThread {
 public:
  // Runs body(argument) on a new thread; false when the system gives none. `number` goes into the
  // name. Once per object, and once more in a child of fork, where the thread does not exist.
  bool Start(void (*body)(void*), void* argument, int number, size_t stack_bytes);
  void Join();

 private:
  static void* Main(void* self);

  pthread_t thread_{};
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  int number_ = 0;
};

}  // namespace linnet
