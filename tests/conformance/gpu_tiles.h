// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/support.h"

namespace linnet::conformance {

// The largest tiles that shaders have, those of most GPUs, and the smallest with shared sums: cases
// are small, so that a device's own choice is always a small tile.
inline constexpr vulkan::Tiles kAllTiles[] = {
    {.product = {8, 4}, .depthwise = {4, 1}, .many_threads = 1, .share_sums = false},
    {.product = {4, 2}, .depthwise = {2, 1}, .many_threads = 1, .share_sums = false},
    {.product = {1, 1}, .depthwise = {1, 1}, .many_threads = int64_t{1} << 40, .share_sums = true}};

// Whether both choose the same shaders, with scratch memory and without.
inline bool AreAlike(const OpInstance& op, Layout layout, const vulkan::Tiles& a,
                     const vulkan::Tiles& b) {
  bool alike = true;
  for (const int64_t scratch_bytes : {int64_t{0}, vulkan::ScratchBytes(op, layout)}) {
    vulkan::Dispatches x(a), y(b);
    vulkan::LowerStep(op, layout, scratch_bytes, x);
    vulkan::LowerStep(op, layout, scratch_bytes, y);
    alike &= x.size() == y.size();
    for (int i = 0; i < x.size() && alike; ++i)
      alike = x[i].shader == y[i].shader && x[i].threads == y[i].threads &&
              std::equal(x[i].constants, x[i].constants + vulkan::kMaxConstants, y[i].constants);
  }
  return alike;
}

}  // namespace linnet::conformance
