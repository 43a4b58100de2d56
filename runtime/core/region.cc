// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/region.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/checked.h"

namespace linnet {

// A header of one cache line in front of every piece, so that pieces stay aligned.
struct alignas(kHostAlignment) Region::Piece {
  Piece* below;   // the piece allocated before this one
  int64_t bytes;  // usable bytes, as asked for
  int64_t start;  // virtual offset of this header
  bool freed;
};

Region::Region(void* block, int64_t bytes, const HostAllocator& allocator) : allocator_(allocator) {
  if (block == nullptr) return;
  const auto address = reinterpret_cast<uintptr_t>(block);
  const int64_t skip = static_cast<int64_t>(-address & (kHostAlignment - 1));
  block_ = static_cast<std::byte*>(block) + skip;
  capacity_ = bytes > skip ? bytes - skip : 0;
}

void Region::Limit(int64_t bytes) { capacity_ = std::min(bytes, kMaxBytes); }

int64_t Region::TotalBytes(int64_t bytes) {
  if (bytes < 0 || bytes > kMaxBytes) return -1;
  return static_cast<int64_t>(sizeof(Piece)) + AlignUp(bytes, kHostAlignment);
}

Region::~Region() {
  while (last_ != nullptr) {
    Piece* piece = last_;
    last_ = piece->below;
    Release(piece);
  }
}

void Region::Release(Piece* piece) {
  if (owns_memory()) allocator_.Release(piece, TotalBytes(piece->bytes));
}

void* Region::Take(int64_t bytes, bool zeros) {
  if (!owns_memory()) {
    std::byte* next = block_ + top_;
    return zeros ? std::memset(next, 0, static_cast<size_t>(bytes)) : next;
  }
  return zeros ? allocator_.AllocateZeros(bytes, kHostAlignment)
               : allocator_.Allocate(bytes, kHostAlignment);
}

void* Region::Allocate(int64_t bytes) { return Allocate(bytes, /*zeros=*/false); }

void* Region::AllocateZeros(int64_t bytes) { return Allocate(bytes, /*zeros=*/true); }

void* Region::Allocate(int64_t bytes, bool zeros) {
  const int64_t total = TotalBytes(bytes);
  if (total < 0 || top_ + total > capacity_) return nullptr;
  void* raw = Take(total, zeros);
  if (raw == nullptr) return nullptr;
  last_ = new (raw) Piece{last_, bytes, top_, false};
  top_ += total;
  if (top_ > peak_) peak_ = top_;
  return last_ + 1;
}

void* Region::AllocateArray(int64_t count, int64_t bytes, bool zeros) {
  int64_t all;
  return CheckedMul(count, bytes, &all) ? Allocate(all, zeros) : nullptr;
}

void Region::Free(void* piece) {
  if (piece == nullptr) return;
  (static_cast<Piece*>(piece) - 1)->freed = true;
  while (last_ != nullptr && last_->freed) {
    Piece* top = last_;
    last_ = top->below;
    top_ = top->start;
    Release(top);
  }
}

void* Region::Reallocate(void* piece, int64_t bytes) {
  if (piece == nullptr) return Allocate(bytes);
  Piece* header = static_cast<Piece*>(piece) - 1;
  const int64_t old_bytes = header->bytes;
  if (header == last_) {
    const int64_t total = TotalBytes(bytes);
    if (total < 0 || header->start + total > capacity_) return nullptr;
    if (owns_memory()) {
      // Moves the piece, but counts as if it had grown in place, so that both kinds of region agree
      // on peak().
      void* raw = allocator_.Allocate(total, kHostAlignment);
      if (raw == nullptr) return nullptr;
      std::memcpy(raw, header, sizeof(Piece) + static_cast<size_t>(std::min(old_bytes, bytes)));
      Release(header);
      last_ = static_cast<Piece*>(raw);
    }
    last_->bytes = bytes;
    top_ = last_->start + total;
    if (top_ > peak_) peak_ = top_;
    return last_ + 1;
  }
  void* moved = Allocate(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, piece, static_cast<size_t>(std::min(old_bytes, bytes)));
  Free(piece);
  return moved;
}

}  // namespace linnet
