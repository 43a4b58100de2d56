// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/batch_matmul.h"

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/matmul.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance& op) {
  const bool empty = op.input(0).shape.num_elements() == 0;
  if (empty && op.output(0).shape.num_elements() > 0) return "input 0 is empty";
  return BatchFits(op) ? nullptr : "the leading dimensions broadcast in too many ways";
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const auto& attrs = op.as<BatchMatMulAttrs>();
  LowerProduct(op, {.transpose_a = attrs.transpose_a, .transpose_b = attrs.transpose_b},
               dispatches);
}

}  // namespace

const OpLowering kBatchMatMulLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
