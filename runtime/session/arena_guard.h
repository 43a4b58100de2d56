// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/sanitizers.h"
#if LINNET_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace linnet {

// During its lifetime only those parts of the arena may be read or written that Allow names. The
// tensors of a session share one block, so AddressSanitizer by itself does not notice when a kernel
// leaves its own tensors. Does nothing without AddressSanitizer, and does not see accesses by
// libraries that were built without it.
class ArenaGuard {
 public:
  ArenaGuard(const ArenaGuard&) = delete;
  ArenaGuard& operator=(const ArenaGuard&) = delete;
#if LINNET_ADDRESS_SANITIZER
  static constexpr bool kWatches = true;
  ArenaGuard(const std::byte* arena, int64_t bytes)
      : arena_(arena), bytes_(static_cast<size_t>(bytes)) {
    __asan_poison_memory_region(arena_, bytes_);
  }
  ~ArenaGuard() { __asan_unpoison_memory_region(arena_, bytes_); }
  // Memory outside the arena is ignored.
  void Allow(const void* data, int64_t bytes) const {
    const auto offset = reinterpret_cast<uintptr_t>(data) - reinterpret_cast<uintptr_t>(arena_);
    if (offset < bytes_) __asan_unpoison_memory_region(data, static_cast<size_t>(bytes));
  }

 private:
  const std::byte* arena_;
  size_t bytes_;
#else
  static constexpr bool kWatches = false;
  ArenaGuard(const std::byte*, int64_t) {}
  void Allow(const void*, int64_t) const {}
#endif
};

}  // namespace linnet
