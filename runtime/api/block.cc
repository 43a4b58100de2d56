// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/block.h"

#include <algorithm>

#include "runtime/core/checked.h"

namespace linnet::api {

BlockLayout SplitBlock(void* block, int64_t bytes, int64_t handle_bytes) {
  const auto skip =
      static_cast<int64_t>(-reinterpret_cast<uintptr_t>(block) & (kHostAlignment - 1));
  BlockLayout layout;
  layout.before_rest = skip + AlignUp(handle_bytes, kHostAlignment);
  if (layout.before_rest > bytes) return layout;
  auto* start = static_cast<std::byte*>(block);
  layout.handle = start + skip;
  layout.rest = start + layout.before_rest;
  layout.rest_bytes = bytes - layout.before_rest;
  return layout;
}

BlockLayout PlaceHandle(const HostAllocator& allocator, void* block, uint64_t block_bytes,
                        int64_t handle_bytes) {
  if (block == nullptr)
    return {.handle = allocator.Allocate(handle_bytes, alignof(std::max_align_t))};
  return SplitBlock(block, static_cast<int64_t>(std::min<uint64_t>(block_bytes, INT64_MAX)),
                    handle_bytes);
}

}  // namespace linnet::api
