// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "runtime/core/host_allocator.h"

namespace linnet {

inline constexpr int64_t kHostAlignment = 64;

// Memory for one lifetime (plan, prepared weights, session). Takes pieces from a block that the
// caller gave, or each from an allocator. In both cases peak() is the block size that the same
// sequence of calls needs, so a first attempt without a block tells how large the block must be.
//
// Pieces are 64-byte aligned. Memory is reused in last-in-first-out order: a freed piece becomes
// available when all pieces after it are freed too. May be used by one thread at a time.
class Region {
 public:
  // Takes memory from `allocator`, without a limit.
  explicit Region(const HostAllocator& allocator = kMalloc) : allocator_(allocator) {}
  // Takes memory from a block of `bytes` >= 0 bytes, of any alignment. `allocator` is only what
  // allocator() returns; but without a block (null) memory comes from there.
  Region(void* block, int64_t bytes, const HostAllocator& allocator = kMalloc);
  ~Region();  // frees all pieces
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // Limits a region without a block, as if it had a block of this size.
  void Limit(int64_t bytes);

  // nullptr when the block is full or the allocator has no memory; bytes >= 0. The contents are
  // undefined.
  [[nodiscard]] void* Allocate(int64_t bytes);
  // The same with all bytes 0. Costs little for large pieces, where the system's pages are zeros.
  [[nodiscard]] void* AllocateZeros(int64_t bytes);
  // `piece` may be nullptr.
  void Free(void* piece);
  // Changes the size and keeps the contents, like realloc. In place when `piece` is the last one.
  [[nodiscard]] void* Reallocate(void* piece, int64_t bytes);

  // Allocates and value-initialises `count` objects; nullptr on failure. Never runs destructors.
  template <typename T>
  [[nodiscard]] T* New(int64_t count = 1);

  // The size of a 64-byte aligned block that would have sufficed so far.
  int64_t peak() const { return peak_; }
  int64_t used() const { return top_; }
  // How many bytes it may have at most, as Limit or the block says.
  int64_t capacity() const { return capacity_; }
  bool owns_memory() const { return block_ == nullptr; }
  const HostAllocator& allocator() const { return allocator_; }

 private:
  void* Allocate(int64_t bytes, bool zeros);
  // From the block, or of the allocator: memory for a piece with its header.
  void* Take(int64_t bytes, bool zeros);
  // For `count` objects of `bytes` each.
  void* AllocateArray(int64_t count, int64_t bytes, bool zeros);

  struct Piece;                                           // header in front of every piece
  static constexpr int64_t kMaxBytes = int64_t{1} << 46;  // keeps sums of sizes far from overflow
  // Bytes of a piece with its header; -1 when no piece can have this size.
  static int64_t TotalBytes(int64_t bytes);

  void Release(Piece* piece);

  HostAllocator allocator_;
  std::byte* block_ = nullptr;
  int64_t capacity_ = kMaxBytes;
  int64_t top_ = 0;  // as if all pieces were in one block
  int64_t peak_ = 0;
  Piece* last_ = nullptr;
};

template <typename T>
T* Region::New(int64_t count) {
  static_assert(alignof(T) <= kHostAlignment);
  constexpr int64_t kBytes = sizeof(T);  // NOLINT(bugprone-sizeof-expression): also of pointers
  // Numbers and pointers, which are most: all zeros, without a loop for each type.
  if constexpr (std::is_trivially_default_constructible_v<T>)
    return static_cast<T*>(AllocateArray(count, kBytes, /*zeros=*/true));
  void* raw = AllocateArray(count, kBytes, /*zeros=*/false);
  if (raw == nullptr) return nullptr;
  T* objects = static_cast<T*>(raw);
  for (int64_t i = 0; i < count; ++i) new (static_cast<void*>(objects + i)) T();
  return objects;
}

}  // namespace linnet
