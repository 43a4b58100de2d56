// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/hazards.h"

namespace linnet::vulkan {
namespace {

bool Conflict(const Access& a, const Access& b) {
  return (a.written || b.written) && a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

bool Conflict(std::span<const Access> one, std::span<const Access> other) {
  for (const Access& a : one)
    for (const Access& b : other)
      if (Conflict(a, b)) return true;
  return false;
}

}  // namespace

bool HazardFinder::NeedsBarrier(std::span<const Access> accesses) {
  bool needed = count_ == kMost;
  for (int i = 0; i < count_ && !needed; ++i) needed = Conflict(since_[i], accesses);
  if (needed) count_ = 0;
  since_[count_++] = accesses;
  return needed;
}

}  // namespace linnet::vulkan
