// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/tile.h"
#include "runtime/core/layout.h"
#include "runtime/ops/op_def.h"

namespace linnet::conformance {

// The largest tiles that shaders have, those of most GPUs, and the smallest with shared sums: cases
// are small, so that a device's own choice is always a small tile.
inline constexpr vulkan::Tiles kAllTiles[] = {
    {.product = {8, 4}, .depthwise = {4, 1}, .many_threads = 1, .share_sums = false},
    {.product = {4, 2}, .depthwise = {2, 1}, .many_threads = 1, .share_sums = false},
    {.product = {1, 1}, .depthwise = {1, 1}, .many_threads = int64_t{1} << 40, .share_sums = true}};

// Whether both choose the same shaders, with scratch memory and without.
bool AreAlike(const OpInstance& op, Layout layout, const vulkan::Tiles& a, const vulkan::Tiles& b);
// Whether, with any tiles, a shader of the op can compute with halves as they are.
bool HasNativeShader(const OpInstance& op);

}  // namespace linnet::conformance
