// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/thread_team.h"

#include <new>

namespace linnet {

std::unique_ptr<ThreadTeam> ThreadTeam::Start(int threads) {
  std::unique_ptr<ThreadTeam> team(new (std::nothrow) ThreadTeam(threads));
  if (team == nullptr) return nullptr;
  team->workers_.reset(new (std::nothrow) std::thread[static_cast<size_t>(threads - 1)]);
  if (team->workers_ == nullptr) return nullptr;
  for (int i = 0; i < threads - 1; ++i)
    team->workers_[i] = std::thread([raw = team.get()] { raw->Work(); });
  return team;
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  if (workers_ == nullptr) return;
  for (int i = 0; i < threads_ - 1; ++i)
    if (workers_[i].joinable()) workers_[i].join();
}

void ThreadTeam::Drain(std::unique_lock<std::mutex>& lock) {
  while (next_ < tasks_) {
    const int64_t index = next_++;
    ++running_;
    lock.unlock();
    task_(context_, index);
    lock.lock();
    --running_;
  }
}

void ThreadTeam::Run(void (*task)(void* context, int64_t index), void* context, int64_t tasks) {
  std::unique_lock lock(mutex_);
  task_ = task;
  context_ = context;
  next_ = 0;
  tasks_ = tasks;
  start_.notify_all();
  Drain(lock);
  done_.wait(lock, [&] { return running_ == 0; });
}

void ThreadTeam::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return stop_ || next_ < tasks_; });
    if (stop_) return;
    Drain(lock);
    if (running_ == 0) done_.notify_one();
  }
}

}  // namespace linnet
