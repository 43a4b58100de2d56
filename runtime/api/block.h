// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/core/region.h"

namespace linnet::api {

// Memory for one of our handles and for its Region.
struct BlockLayout {
  void* handle = nullptr;  // null when the block is too small for it
  void* rest = nullptr;    // of the block, for the Region; null without a block
  int64_t rest_bytes = 0;
  int64_t before_rest = 0;  // bytes of the block before `rest`, with alignment
};

// Divides a caller's block: the handle is 64-byte aligned.
BlockLayout SplitBlock(void* block, int64_t bytes, int64_t handle_bytes);

// The same, or without a block takes memory for the handle alone from the allocator.
BlockLayout PlaceHandle(const HostAllocator& allocator, void* block, uint64_t block_bytes,
                        int64_t handle_bytes);

// Makes the object behind a handle in the caller's block, or without one in memory of the
// allocator; null when there is not enough.
template <typename Handle, typename Parent>
Handle* NewHandle(Parent&& parent, const HostAllocator& allocator, void* block,
                  uint64_t block_bytes) {
  const BlockLayout layout = PlaceHandle(allocator, block, block_bytes, sizeof(Handle));
  return layout.handle == nullptr ? nullptr : new (layout.handle) Handle(parent, layout);
}

template <typename Handle>
void DeleteHandle(Handle* handle, const HostAllocator& allocator) {
  const bool in_block = handle->in_block;
  handle->~Handle();
  if (!in_block) allocator.Release(handle, sizeof(Handle));
}

}  // namespace linnet::api
