// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {

// How many threads of a workgroup share work that has `steps` steps, each of which one of them
// does: a power of two, so that each has four steps or more.
inline int64_t ThreadsFor(int64_t steps) {
  return std::min<int64_t>(
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(steps) / 4 | 1)), kWorkgroupSize);
}

// Threads of a dispatch in which `each` of them share one of `jobs`: whole workgroups.
inline int64_t GroupThreads(int64_t jobs, int64_t each) {
  return CeilDiv(jobs * each, kWorkgroupSize) * kWorkgroupSize;
}

}  // namespace linnet::vulkan
