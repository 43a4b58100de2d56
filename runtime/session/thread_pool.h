// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/session/backend.h"
#if LINNET_STD_THREADS
#include "runtime/session/thread_team.h"
#endif

namespace linnet {

// The threads of a session: a pthreadpool of its own, one lent by the caller, or none (one thread).
// A lent pool may serve several sessions; it runs one job at a time.
class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool() { Close(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // threads <= 1 opens nothing. pthreadpool allocates here, once, outside every Region. kNoMemory.
  Status Open(int threads);
  void Lend(::pthreadpool* pool);  // the caller keeps it and must outlive this object
  void Close();

  Threads threads() const;

 private:
#if LINNET_STD_THREADS
  std::unique_ptr<ThreadTeam> team_;  // XNNPACK then runs on the calling thread
#endif
  ::pthreadpool* pool_ = nullptr;
  bool owned_ = false;
};

}  // namespace linnet
