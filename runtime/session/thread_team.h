// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace linnet {

// Threads for our own kernels from the C++ library alone. Used instead of pthreadpool where that
// will not do: under ThreadSanitizer, which cannot see pthreadpool's futexes and would report every
// kernel as a race.
class ThreadTeam {
 public:
  // Starts threads - 1 workers: the caller of Run is the last one.
  static std::unique_ptr<ThreadTeam> Start(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return threads_; }
  // Calls task(context, i) for i in [0, tasks) and returns when all are done. One call at a time.
  // No allocation.
  void Run(void (*task)(void* context, int64_t index), void* context, int64_t tasks);

 private:
  explicit ThreadTeam(int threads) : threads_(threads) {}
  void Work();
  // Takes indices until none are left. `lock` holds mutex_ between tasks.
  void Drain(std::unique_lock<std::mutex>& lock);

  const int threads_;
  std::unique_ptr<std::thread[]> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  void (*task_)(void*, int64_t) = nullptr;  // guarded by mutex_, as everything below
  void* context_ = nullptr;
  int64_t next_ = 0, tasks_ = 0, running_ = 0;
  bool stop_ = false;
};

}  // namespace linnet
