// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

// Sleeping on a word until another thread changes it. On Linux and Android the kernel's futex, on
// other systems what the C++ library makes of it. Nothing here orders memory: the atomics around it
// do.
namespace linnet {

inline constexpr uint32_t kAllSleepers = ~uint32_t{0};

// Sleeps while `word` is `expected`; may return early. `sleeper`: bits by which a waker chooses.
void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t sleeper = kAllSleepers);

// The same until NowNs() is `deadline_ns` at the latest.
void SleepOnUntil(std::atomic<uint32_t>& word, uint32_t expected, int64_t deadline_ns);

// Wakes all who sleep on `word` and share a bit with `sleepers`; others may wake too.
void WakeAll(std::atomic<uint32_t>& word, uint32_t sleepers = kAllSleepers);

}  // namespace linnet
