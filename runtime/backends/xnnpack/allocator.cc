// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/allocator.h"

#include <xnnpack.h>

#include <cstdlib>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#endif

namespace linnet::xnnpack {
namespace {

thread_local Region* current_region = nullptr;

constexpr size_t kMaxBytes = size_t{1} << (sizeof(size_t) * 8 - 2);

void* Allocate(void*, size_t size) {
  if (size > kMaxBytes) return nullptr;
  if (current_region != nullptr) return current_region->Allocate(static_cast<int64_t>(size));
  return std::malloc(size);
}

void* Reallocate(void*, void* piece, size_t size) {
  if (size > kMaxBytes) return nullptr;
  if (current_region != nullptr)
    return current_region->Reallocate(piece, static_cast<int64_t>(size));
  return std::realloc(piece, size);
}

void Deallocate(void*, void* piece) {
  if (current_region != nullptr) return current_region->Free(piece);
  std::free(piece);
}

void* AlignedAllocate(void*, size_t alignment, size_t size) {
  if (size > kMaxBytes) return nullptr;
  if (current_region != nullptr) {
    // XNNPACK asks for at most 64 on all supported machines.
    if (alignment > static_cast<size_t>(kHostAlignment)) return nullptr;
    return current_region->Allocate(static_cast<int64_t>(size));
  }
  void* piece = nullptr;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return posix_memalign(&piece, alignment, size) == 0 ? piece : nullptr;
}

constexpr xnn_allocator kAllocator = {
    .context = nullptr,
    .allocate = Allocate,
    .reallocate = Reallocate,
    .deallocate = Deallocate,
    .aligned_allocate = AlignedAllocate,
    .aligned_deallocate = Deallocate,
};

}  // namespace

const xnn_allocator* RegionAllocator() { return &kAllocator; }

ScopedRegion::ScopedRegion(Region* region) : outer_(current_region) { current_region = region; }
ScopedRegion::~ScopedRegion() { current_region = outer_; }

int64_t HeapBytesInUse() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

}  // namespace linnet::xnnpack
