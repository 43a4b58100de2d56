// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/fork.h"

#include <pthread.h>

#include <atomic>

namespace linnet {
namespace {

std::atomic<uint32_t> fork_count = 0;

}  // namespace

bool WatchForks() {
  // Two threads at once may both register. A fork is then counted twice, which does no harm.
  static std::atomic<bool> watching = false;
  if (watching.load(std::memory_order_relaxed)) return true;
  const bool registered = pthread_atfork(nullptr, nullptr, [] {
                            fork_count.fetch_add(1, std::memory_order_relaxed);
                          }) == 0;
  if (registered) watching.store(true, std::memory_order_relaxed);
  return registered;
}

uint32_t ForkCount() { return fork_count.load(std::memory_order_relaxed); }

}  // namespace linnet
