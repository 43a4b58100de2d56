// SPDX-License-Identifier: Apache-2.0
// The whole room in builds without threads (LINNET_THREADS=OFF): as where a system starts none.
#include <new>

#include "runtime/core/host_allocator.h"
#include "runtime/threads/background_thread.h"
#include "runtime/threads/cores.h"
#include "runtime/threads/team.h"

namespace linnet {

struct Team::Worker {};

Team* Team::Open(int) {
  void* memory = kMalloc.Allocate(sizeof(Team), alignof(Team));
  return memory == nullptr ? nullptr : new (memory) Team(nullptr, 0);
}

void Team::Close() {
  this->~Team();
  kMalloc.Release(this, sizeof(Team));
}

Parallel Team::parallel() { return {}; }

BackgroundThread::~BackgroundThread() = default;
bool BackgroundThread::Begin(void (*)(void*), void*) { return false; }
BackgroundThread::Outcome BackgroundThread::Wait(int64_t) { return Outcome::kGone; }

int AvailableCores() { return 1; }

}  // namespace linnet
