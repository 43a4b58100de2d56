// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"
#include "runtime/threads/team.h"

namespace linnet {

// The threads of a session: a team of its own, a pthreadpool lent by the caller, or none (one
// thread). A lent pool may serve several sessions; it runs one job at a time.
class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool() { Close(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // threads <= 1 opens nothing. A team of fewer threads where the system starts no more. The team
  // allocates here, once, outside every Region. kNoMemory.
  Status Open(int threads);
  // The caller keeps it and must outlive this object. kUnsupported in builds without pthreadpool.
  Status Lend(::pthreadpool* pool);
  void Close();

  Threads threads() const;

 private:
  Team* team_ = nullptr;
  ::pthreadpool* lent_ = nullptr;
};

}  // namespace linnet
