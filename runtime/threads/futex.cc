// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/futex.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#endif
#include <algorithm>

#include "runtime/threads/clock.h"

namespace linnet {

#if defined(__linux__)

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t sleeper) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, sleeper);
}

void SleepOnUntil(std::atomic<uint32_t>& word, uint32_t expected, int64_t deadline_ns) {
  // The kernel's struct, which may differ from the C library's timespec.
  struct {
    long seconds, nanoseconds;
  } deadline;
  deadline.seconds = static_cast<long>(std::min<int64_t>(deadline_ns / kNsPerSecond, LONG_MAX));
  deadline.nanoseconds = static_cast<long>(deadline_ns % kNsPerSecond);
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, &deadline, nullptr, kAllSleepers);
}

void WakeAll(std::atomic<uint32_t>& word, uint32_t sleepers) {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, nullptr, nullptr, sleepers);
}

#else

void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t) { word.wait(expected); }

void SleepOnUntil(std::atomic<uint32_t>& word, uint32_t expected, int64_t deadline_ns) {
  // std::atomic cannot wait with a deadline, so look repeatedly.
  constexpr int64_t kLookEveryNs = 1'000'000;
  if (word.load() != expected) return;
  const timespec pause{
      0, static_cast<long>(std::clamp<int64_t>(deadline_ns - NowNs(), 0, kLookEveryNs))};
  nanosleep(&pause, nullptr);
}

void WakeAll(std::atomic<uint32_t>& word, uint32_t) { word.notify_all(); }

#endif

}  // namespace linnet
