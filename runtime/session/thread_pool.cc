// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/thread_pool.h"

#include <pthreadpool.h>

namespace linnet {
namespace {

struct Job {
  void (*task)(void* context, int64_t index);
  void* context;
};

void RunOnPool(void* pool, void (*task)(void* context, int64_t index), void* context,
               int64_t tasks) {
  Job job{task, context};
  pthreadpool_parallelize_1d(
      static_cast<pthreadpool_t>(pool),
      [](void* raw, size_t index) {
        const Job& job = *static_cast<const Job*>(raw);
        job.task(job.context, static_cast<int64_t>(index));
      },
      &job, static_cast<size_t>(tasks), PTHREADPOOL_FLAG_DISABLE_DENORMALS);
}

}  // namespace

Status ThreadPool::Open(int threads) {
  Close();
  if (threads <= 1) return {};
  team_ = Team::Open(threads);
  if (team_ == nullptr) return {StatusCode::kNoMemory, "no memory for threads"};
  return {};
}

void ThreadPool::Lend(::pthreadpool* pool) {
  Close();
  lent_ = pool;
}

void ThreadPool::Close() {
  if (team_ != nullptr) team_->Close();
  team_ = nullptr;
  lent_ = nullptr;
}

Threads ThreadPool::threads() const {
  if (team_ != nullptr) return {nullptr, team_->parallel()};
  if (lent_ == nullptr) return {};
  const int count = static_cast<int>(pthreadpool_get_threads_count(lent_));
  return {lent_, {count, lent_, RunOnPool}};
}

}  // namespace linnet
