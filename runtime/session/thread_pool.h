// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"
#include "runtime/threads/team.h"

namespace linnet {

// The threads of a session: a team of its own, a pthreadpool that the caller lends, or only the
// calling thread. A lent pool may serve several sessions; it runs one job at a time.
class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool() { Close(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Starts a team; none when threads <= 1. The team is smaller when the system starts fewer
  // threads. Only this allocates memory for the team, outside every Region. kNoMemory.
  Status Open(int threads);
  // Uses the caller's pool, which must outlive this object. kUnsupported in builds without
  // pthreadpool.
  Status Lend(::pthreadpool* pool);
  void Close();

  Threads threads() const;

 private:
  Team* team_ = nullptr;
  ::pthreadpool* lent_ = nullptr;
};

}  // namespace linnet
