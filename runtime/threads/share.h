// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace linnet {

// Takes the line from the core that has it. The compiler's own prefetch only reads on a CPU of the
// baseline, so that the write goes to the other core a second time; CPUs without the instruction
// take it for none.
inline void PrefetchToWrite(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

// The indices [begin, end) that one thread of a team has to work on. It takes them from the front;
// other threads that help take them from the back. Within a job a share only shrinks, or is filled
// with indices that it has not held before or that nobody has taken since, so that a
// compare-and-exchange cannot mistake a later state for an earlier one (no ABA problem). Both ends
// are in one word of 32 bits, because not every processor exchanges 64 at once.
class Share {
 public:
  static constexpr uint32_t kMostTasks = UINT16_MAX;  // of a job

  // 0 <= begin <= end <= kMostTasks.
  void Fill(uint32_t begin, uint32_t end) {
    range_.store(Pack(begin, end), std::memory_order_relaxed);
  }

  // Brings the word to this core while it does something else.
  void Prefetch() const { PrefetchToWrite(&range_); }

  bool TakeFront(uint32_t* index) {
    uint32_t range = range_.load(std::memory_order_relaxed);
    while (Begin(range) < End(range)) {
      *index = Begin(range);
      if (range_.compare_exchange_weak(range, Pack(*index + 1, End(range)),
                                       std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  bool TakeBack(uint32_t* index) {
    uint32_t end;
    return TakeLast([](uint32_t) { return uint32_t{1}; }, index, &end);
  }

  // Takes a part of what is left from the back, [*begin, *end): all of it for `divisor` 1, half
  // (rounded up) for 2.
  bool TakePart(uint32_t divisor, uint32_t* begin, uint32_t* end) {
    return TakeLast([=](uint32_t left) { return (left + divisor - 1) / divisor; }, begin, end);
  }

  uint32_t left() const {
    const uint32_t range = range_.load(std::memory_order_relaxed);
    return End(range) - Begin(range);
  }

 private:
  // Takes the last count(left) of what is left, from 1 to all of it.
  template <typename Count>
  bool TakeLast(const Count& count, uint32_t* begin, uint32_t* end) {
    uint32_t range = range_.load(std::memory_order_relaxed);
    while (Begin(range) < End(range)) {
      *end = End(range);
      *begin = *end - count(*end - Begin(range));
      if (range_.compare_exchange_weak(range, Pack(Begin(range), *begin),
                                       std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  static uint32_t Pack(uint32_t begin, uint32_t end) { return end << 16 | begin; }
  static uint32_t Begin(uint32_t range) { return range & kMostTasks; }
  static uint32_t End(uint32_t range) { return range >> 16; }

  std::atomic<uint32_t> range_ = 0;
};

}  // namespace linnet
