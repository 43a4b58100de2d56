// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/background_thread.h"

#include "runtime/core/checked.h"
#include "runtime/threads/clock.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/futex.h"

namespace linnet {
namespace {

constexpr int kNumber = 0;  // workers of a team count from 1

}  // namespace

BackgroundThread::~BackgroundThread() {
  if (!IsHere()) return;
  Wait(-1);
  state_.store(kStop, std::memory_order_release);
  WakeAll(state_);
  thread_.Join();
}

bool BackgroundThread::IsHere() const { return started_ && forks_ == ForkCount(); }

bool BackgroundThread::Begin(void (*task)(void*), void* context) {
  if (!IsHere()) {
    if (!WatchForks()) return false;
    state_.store(kIdle, std::memory_order_relaxed);
    forks_ = ForkCount();
    started_ = thread_.Start(Main, this, kNumber, kRunnerStackBytes);
    if (!started_) return false;
  }
  task_ = task;
  context_ = context;
  state_.store(kBusy, std::memory_order_release);
  WakeAll(state_);
  return true;
}

BackgroundThread::Outcome BackgroundThread::Wait(int64_t timeout_ns) {
  const int64_t deadline = timeout_ns < 0 ? INT64_MAX : SaturatingAdd(NowNs(), timeout_ns);
  while (state_.load(std::memory_order_acquire) == kBusy) {
    if (!IsHere()) return Outcome::kGone;
    if (deadline == INT64_MAX)
      SleepOn(state_, kBusy);
    else if (NowNs() >= deadline)
      return Outcome::kRunning;
    else
      SleepOnUntil(state_, kBusy, deadline);
  }
  return Outcome::kDone;
}

void BackgroundThread::Main(void* raw) {
  auto* self = static_cast<BackgroundThread*>(raw);
  for (;;) {
    switch (self->state_.load(std::memory_order_acquire)) {
      case kStop:
        return;
      case kBusy:
        self->task_(self->context_);
        self->state_.store(kIdle, std::memory_order_release);
        WakeAll(self->state_);
        break;
      default:
        SleepOn(self->state_, kIdle);
    }
  }
}

}  // namespace linnet
