// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <ctime>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace linnet {

inline constexpr int64_t kNsPerSecond = 1'000'000'000;

#if LINNET_FREESTANDING
// There is no clock: nothing takes time.
inline int64_t NowNs() { return 0; }
inline int64_t ThreadNs() { return 0; }
#else
inline int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * kNsPerSecond + now.tv_nsec;
}

// CPU time of the calling thread.
inline int64_t ThreadNs() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<int64_t>(time.tv_sec) * kNsPerSecond + time.tv_nsec;
}
#endif

// Gives the core's other hardware thread more room. For loops that wait.
inline void Pause() {
#if defined(__SSE2__)
  _mm_pause();
#elif defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  asm volatile("yield");
#endif
}

// Waits until done() is true, at most `ns` nanoseconds. Returns whether it is.
template <typename Done>
bool SpinUntil(int64_t ns, const Done& done) {
  if (done()) return true;
  if (ns <= 0) return false;
  constexpr int kPausesPerLook = 8;  // reading the clock is as slow as a few pauses
  const int64_t deadline = NowNs() + ns;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      Pause();
      if (done()) return true;
    }
  } while (NowNs() < deadline);
  return false;
}

}  // namespace linnet
