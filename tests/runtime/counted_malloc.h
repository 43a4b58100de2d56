// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Counts the calls of malloc and its like, of all threads, while it lives; one at a time. Replaces
// the C library's allocator, so programs with it are not built under sanitizers.
class CountedScope {
 public:
  // Call number `fail_at`, from 0, returns null; -1: none does.
  explicit CountedScope(int64_t fail_at);
  ~CountedScope();
  CountedScope(const CountedScope&) = delete;
  CountedScope& operator=(const CountedScope&) = delete;

  // Of the last one that lived, or lives.
  static int64_t calls();
  static int64_t bytes_asked();
  static int64_t live();        // pieces that were taken and not given back
  static int64_t peak_bytes();  // the most that was taken and not given back at a time
};

}  // namespace linnet
