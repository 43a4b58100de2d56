// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/checked.h"
#include "runtime/core/region.h"

namespace linnet::api {

// A caller's block, divided into one of our handles and the rest, which becomes a Region.
struct BlockLayout {
  void* handle = nullptr;  // 64-byte aligned; null when the block is too small for it
  void* rest = nullptr;
  int64_t rest_bytes = 0;
  int64_t before_rest = 0;  // bytes of the block before `rest`, with alignment
};

inline BlockLayout SplitBlock(void* block, int64_t bytes, int64_t handle_bytes) {
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

}  // namespace linnet::api
