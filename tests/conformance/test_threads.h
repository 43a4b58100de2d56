// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <thread>
#include <vector>

#include "runtime/core/parallel.h"

namespace linnet::conformance {

// Starts threads for one call: slow, but nothing in it can hide a race.
inline void RunOnThreads(void* pool, void (*task)(void* context, int64_t index), void* context,
                         int64_t tasks) {
  std::atomic<int64_t> next = 0;
  const auto work = [&] {
    for (int64_t i; (i = next++) < tasks;) task(context, i);
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < *static_cast<int*>(pool); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

// `threads` must outlive it.
inline Parallel TestThreads(int* threads) {
  if (*threads == 1) return {};
  return {.threads = *threads, .pool = threads, .run = RunOnThreads};
}

}  // namespace linnet::conformance
