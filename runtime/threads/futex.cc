// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/futex.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#endif

namespace linnet {

#if defined(__linux__)

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t sleeper) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, sleeper);
}

void WakeAll(std::atomic<uint32_t>& word, uint32_t sleepers) {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, nullptr, nullptr, sleepers);
}

#else

void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t) { word.wait(expected); }

void WakeAll(std::atomic<uint32_t>& word, uint32_t) { word.notify_all(); }

#endif

}  // namespace linnet
