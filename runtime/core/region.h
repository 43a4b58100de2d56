// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/core/host_allocator.h"

namespace linnet {

inline constexpr int64_t kHostAlignment = 64;

// Memory of one lifetime (plan, prepared weights, session). Either cuts pieces off a block that the
// caller gave, or takes each piece from an allocator; in both cases `peak()` is the block size that
// the same sequence of calls needs, so a first run tells what to give the second.
//
// Pieces are 64-byte aligned. Freeing gives memory back in last-in-first-out order: a piece freed
// below the top waits until everything above it is gone. One thread at a time.
class Region {
 public:
  // Without a limit.
  explicit Region(const HostAllocator& allocator = kMalloc) : allocator_(allocator) {}
  // block: any alignment; bytes >= 0. `allocator` is for others who ask for it.
  Region(void* block, int64_t bytes, const HostAllocator& allocator = kMalloc);
  ~Region();  // gives every piece back
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // For a region without a block: it shall not grow beyond `bytes`, as if it had a block of that
  // size.
  void Limit(int64_t bytes);

  // nullptr when the block is full or the allocator has none; bytes >= 0. Contents are undefined.
  [[nodiscard]] void* Allocate(int64_t bytes);
  // nullptr is fine.
  void Free(void* piece);
  // The same contents under a new size, in place when `piece` is the last one. Like realloc.
  [[nodiscard]] void* Reallocate(void* piece, int64_t bytes);

  // Allocate and value-initialise `count` objects; nullptr on failure. Destructors are not run.
  template <typename T>
  [[nodiscard]] T* New(int64_t count = 1);

  // Bytes of a block (64-byte aligned at its start) that would have served so far.
  int64_t peak() const { return peak_; }
  int64_t used() const { return top_; }
  bool owns_memory() const { return block_ == nullptr; }
  const HostAllocator& allocator() const { return allocator_; }

 private:
  struct Piece;                                           // header in front of every piece
  static constexpr int64_t kMaxBytes = int64_t{1} << 46;  // keeps sums of sizes far from overflow
  // Of a piece with its header; -1 when no piece can have that size.
  static int64_t TotalBytes(int64_t bytes);

  void Release(Piece* piece);

  HostAllocator allocator_;
  std::byte* block_ = nullptr;
  int64_t capacity_ = kMaxBytes;
  int64_t top_ = 0;  // virtual: as if everything lay in one block
  int64_t peak_ = 0;
  Piece* last_ = nullptr;
};

template <typename T>
T* Region::New(int64_t count) {
  static_assert(alignof(T) <= kHostAlignment);
  int64_t bytes;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may well be a pointer.
  if (__builtin_mul_overflow(count, static_cast<int64_t>(sizeof(T)), &bytes)) return nullptr;
  void* raw = Allocate(bytes);
  if (raw == nullptr) return nullptr;
  T* objects = static_cast<T*>(raw);
  for (int64_t i = 0; i < count; ++i) new (static_cast<void*>(objects + i)) T();
  return objects;
}

}  // namespace linnet
