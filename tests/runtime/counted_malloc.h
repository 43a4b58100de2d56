// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Counts calls of malloc and similar functions, in all threads, during its lifetime; only one
// object at a time. Replaces the C library's allocator, so programs with it are not built with
// sanitizers.
class CountedScope {
 public:
  // Call number `fail_at`, counted from 0, returns null; -1: no call does.
  explicit CountedScope(int64_t fail_at);
  ~CountedScope();
  CountedScope(const CountedScope&) = delete;
  CountedScope& operator=(const CountedScope&) = delete;

  // Figures of the current object, or of the last one.
  static int64_t calls();
  static int64_t live();        // allocations that were not freed
  static int64_t peak_bytes();  // the largest number of bytes in use at a time
};

}  // namespace linnet
