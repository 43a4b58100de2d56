// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>

namespace linnet {

// A thread as a library may start one in somebody's program: small stack, no signal is delivered to
// it, named linnet/N.
class WorkerThread {
 public:
  // Runs body(argument) on a new thread; false when the system gives none. `number` goes into the
  // name. Once per object.
  bool Start(void (*body)(void*), void* argument, int number);
  void Join();

 private:
  static void* Main(void* self);

  pthread_t thread_{};
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  int number_ = 0;
};

}  // namespace linnet
