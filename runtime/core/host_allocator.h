// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace linnet {

// Where memory on the host comes from: malloc, or functions of the program that uses the library.
// May be copied, and used by any number of threads at once.
struct HostAllocator {
  void* context = nullptr;
  // Returns `bytes` > 0 bytes at a multiple of `alignment`, which is a power of two up to
  // kHostAlignment; null when out of memory.
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  // Frees memory that allocate returned. `bytes` is what allocate was asked for.
  void (*release)(void* context, void* memory, size_t bytes);
  // As allocate, with all bytes 0. Null where nothing is known that is faster than writing them.
  void* (*allocate_zeros)(void* context, size_t bytes, size_t alignment) = nullptr;

  // Also null for more bytes than the machine can address: a plan may ask for them.
  void* Allocate(int64_t bytes, size_t alignment) const {
    if (bytes > PTRDIFF_MAX) return nullptr;
    return allocate(context, static_cast<size_t>(bytes), alignment);
  }
  void* AllocateZeros(int64_t bytes, size_t alignment) const {
    if (bytes > PTRDIFF_MAX) return nullptr;
    const auto size = static_cast<size_t>(bytes);
    if (allocate_zeros != nullptr) return allocate_zeros(context, size, alignment);
    void* memory = allocate(context, size, alignment);
    return memory == nullptr ? nullptr : std::memset(memory, 0, size);
  }
  // `memory` may be null.
  void Release(void* memory, int64_t bytes) const {
    if (memory != nullptr) release(context, memory, static_cast<size_t>(bytes));
  }
};

extern const HostAllocator kMalloc;

}  // namespace linnet
