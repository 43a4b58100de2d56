// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/thread_pool.h"

#if LINNET_HAS_PTHREADPOOL
#include <pthreadpool.h>
#endif

#include "runtime/core/linked_parts.h"

namespace linnet {
namespace {

constexpr Status kOneThread{StatusCode::kUnsupported, "this program was linked for one thread"};

#if LINNET_HAS_PTHREADPOOL
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

Parallel Borrowed(::pthreadpool* pool) {
  return {static_cast<int>(pthreadpool_get_threads_count(pool)), pool, RunOnPool};
}
constexpr bool kCanBorrow = true;
#else
Parallel Borrowed(::pthreadpool*) { return {}; }
constexpr bool kCanBorrow = false;
#endif

}  // namespace

Status ThreadPool::Open(int threads) {
  Close();
  if (threads <= 1) return {};
  if (!kLinkedThreads) return kOneThread;
  team_ = Team::Open(threads);
  if (team_ == nullptr) return {StatusCode::kNoMemory, "no memory for threads"};
  return {};
}

Status ThreadPool::Lend(::pthreadpool* pool) {
  Close();
  if (!kLinkedThreads) return kOneThread;
  if (!kCanBorrow)
    return {StatusCode::kUnsupported, "this build has no pthreadpool, so none can be lent to it"};
  lent_ = pool;
  return {};
}

void ThreadPool::Close() {
  if (kLinkedThreads && team_ != nullptr) team_->Close();
  team_ = nullptr;
  lent_ = nullptr;
}

Threads ThreadPool::threads() const {
  if (!kLinkedThreads) return {};
  if (team_ != nullptr) return {nullptr, team_->parallel()};
  if (lent_ == nullptr) return {};
  return {lent_, Borrowed(lent_)};
}

}  // namespace linnet
