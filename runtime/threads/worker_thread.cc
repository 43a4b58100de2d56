// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/worker_thread.h"

#include <pthread.h>

#include <csignal>
#include <cstddef>
#include <cstdio>

#include "runtime/core/sanitizers.h"

namespace linnet {
namespace {

// Sanitizers make stack frames larger.
#if LINNET_ADDRESS_SANITIZER || LINNET_THREAD_SANITIZER
constexpr size_t kFrameFactor = 8;
#else
constexpr size_t kFrameFactor = 1;
#endif

// Blocks all signals on this thread, and so on threads that it starts, for its lifetime.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

bool WorkerThread::Start(void (*body)(void*), void* argument, int number, size_t stack_bytes) {
  body_ = body;
  argument_ = argument;
  number_ = number;
  const BlockedSignals blocked;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  // Thread-local variables of the whole program are in the stack too. If they need more than this,
  // try again with the system's default size.
  const bool started = (pthread_attr_setstacksize(&attributes, kFrameFactor * stack_bytes) == 0 &&
                        pthread_create(&thread_, &attributes, Main, this) == 0) ||
                       pthread_create(&thread_, nullptr, Main, this) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

void WorkerThread::Join() { pthread_join(thread_, nullptr); }

void* WorkerThread::Main(void* raw) {
  auto* self = static_cast<WorkerThread*>(raw);
  char name[16];
  std::snprintf(name, sizeof(name), "linnet/%d", self->number_);
#if defined(__APPLE__)
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
  self->body_(self->argument_);
  return nullptr;
}

}  // namespace linnet
