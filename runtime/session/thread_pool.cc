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
#if LINNET_STD_THREADS
  team_ = ThreadTeam::Start(threads);
  if (team_ == nullptr) return {StatusCode::kNoMemory, "cannot start threads"};
#else
  pool_ = pthreadpool_create(static_cast<size_t>(threads));
  owned_ = pool_ != nullptr;
  if (pool_ == nullptr) return {StatusCode::kNoMemory, "cannot start threads"};
#endif
  return {};
}

void ThreadPool::Lend(::pthreadpool* pool) {
  Close();
  pool_ = pool;
}

void ThreadPool::Close() {
#if LINNET_STD_THREADS
  team_.reset();
#endif
  if (owned_) pthreadpool_destroy(pool_);
  pool_ = nullptr;
  owned_ = false;
}

Threads ThreadPool::threads() const {
#if LINNET_STD_THREADS
  if (team_ != nullptr)
    return {nullptr,
            {team_->threads(), team_.get(),
             [](void* team, void (*task)(void*, int64_t), void* context, int64_t tasks) {
               static_cast<ThreadTeam*>(team)->Run(task, context, tasks);
             }}};
#endif
  if (pool_ == nullptr) return {};
  const int count = static_cast<int>(pthreadpool_get_threads_count(pool_));
  return {pool_, {count, pool_, RunOnPool}};
}

}  // namespace linnet
