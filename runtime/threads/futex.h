// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

// Sleeping on a word until another thread changes it: with the kernel's futex on Linux and Android,
// with std::atomic on other systems. These functions do not order memory; the atomic operations of
// their callers do.
namespace linnet {

inline constexpr uint32_t kAllSleepers = ~uint32_t{0};

// Sleeps while `word` is `expected`; may return early. `sleeper` is a set of bits that WakeAll can
// choose by.
void SleepOn(std::atomic<uint32_t>& word, uint32_t expected, uint32_t sleeper = kAllSleepers);

// The same until NowNs() is `deadline_ns` at the latest.
void SleepOnUntil(std::atomic<uint32_t>& word, uint32_t expected, int64_t deadline_ns);

// Wakes all threads that sleep on `word` with a bit of `sleepers`; others may wake too.
void WakeAll(std::atomic<uint32_t>& word, uint32_t sleepers = kAllSleepers);

}  // namespace linnet
