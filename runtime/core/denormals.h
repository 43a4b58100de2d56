// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace linnet {

// During its lifetime, this thread treats denormal floats as zero, as TensorFlow does; afterwards
// the thread's former setting is restored. Exception flags that operations have raised meanwhile
// stay set, also on x86, which keeps them in the same register. Does nothing on CPUs without this
// setting.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(Read()) { Write(saved_ | kBits); }
  ~FlushDenormals() { Write((Read() & ~kBits) | (saved_ & kBits)); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE__)
  static constexpr uint64_t kBits = 0x8040;  // MXCSR: flush-to-zero, denormals-are-zero
  static uint64_t Read() { return _mm_getcsr(); }
  static void Write(uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
  static constexpr uint64_t kBits = uint64_t{1} << 24;  // FPCR.FZ
  static uint64_t Read() {
    uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void Write(uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#elif defined(__arm__) && defined(__ARM_FP)
  static constexpr uint64_t kBits = uint64_t{1} << 24;  // FPSCR.FZ
  static uint64_t Read() {
    uint32_t value;
    asm volatile("vmrs %0, fpscr" : "=r"(value));
    return value;
  }
  static void Write(uint64_t value) {
    asm volatile("vmsr fpscr, %0" : : "r"(static_cast<uint32_t>(value)));
  }
#else
  static constexpr uint64_t kBits = 0;
  static uint64_t Read() { return 0; }
  static void Write(uint64_t) {}
#endif
  uint64_t saved_;
};

}  // namespace linnet
