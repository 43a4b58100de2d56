// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/ops/output_range.h"

namespace linnet::vulkan {

// A product of inputs 0 and 1, neither of which is packed in a form of its own.
struct Product {
  bool transpose_a = false, transpose_b = false;
  bool bias = false;
  Operand bias_operand = {};  // if there is a bias: a row of values
  OutputRange range = {};
};

// Whether the leading dimensions broadcast in a way that the shader can address.
bool BatchFits(const OpInstance& op);
void LowerProduct(const OpInstance& op, const Product& product, Dispatches& dispatches);

}  // namespace linnet::vulkan
