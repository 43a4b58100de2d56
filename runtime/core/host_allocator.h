// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace linnet {

// Where memory on the host comes from: malloc, or functions of the program that uses the library.
// Copied freely; any thread may use it at any time.
struct HostAllocator {
  void* context = nullptr;
  // `bytes` > 0 at a multiple of `alignment`, a power of two up to kHostAlignment; null when there
  // are none.
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  // What allocate gave, with the bytes that were asked for.
  void (*release)(void* context, void* memory, size_t bytes);

  void* Allocate(int64_t bytes, size_t alignment) const {
    return allocate(context, static_cast<size_t>(bytes), alignment);
  }
  // null is fine.
  void Release(void* memory, int64_t bytes) const {
    if (memory != nullptr) release(context, memory, static_cast<size_t>(bytes));
  }

  // An object in memory of this allocator; null when there is none.
  template <typename T, typename... Arguments>
  T* New(Arguments&&... arguments) const {
    void* memory = allocate(context, sizeof(T), alignof(T));
    return memory == nullptr ? nullptr : new (memory) T(std::forward<Arguments>(arguments)...);
  }
  // null is fine.
  template <typename T>
  void Delete(T* object) const {
    if (object == nullptr) return;
    object->~T();
    release(context, object, sizeof(T));
  }
};

extern const HostAllocator kMalloc;

}  // namespace linnet
