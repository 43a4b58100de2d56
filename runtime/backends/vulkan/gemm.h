// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/ops/output_range.h"

namespace linnet::vulkan {

// Adds the product of the rows of input 0 and `filter` (one tap, one group), which is Packed(), as
// output 0.
void LowerGemm(const OpInstance& op, const Filter& filter, const OutputRange& range,
               Dispatches& dispatches);

}  // namespace linnet::vulkan
