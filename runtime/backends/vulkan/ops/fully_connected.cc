// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/fully_connected.h"

#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/gemm.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/matmul.h"

namespace linnet::vulkan {
namespace {

Filter FilterOf(const OpInstance& op) {
  return MakeFilter(op.input(1).shape[0], 1, op.input(1).shape[1]);
}

bool HasConstantFilter(const OpInstance& op) { return op.inputs[1].is_constant; }
bool HasConstantBias(const OpInstance& op) {
  return op.num_inputs() > 2 && op.inputs[2].is_constant;
}

// A filter that is computed at run time is read as it is; then only the bias is packed, if it is
// constant.
int64_t PackedBytes(const OpInstance& op, Layout layout) {
  if (HasConstantFilter(op)) return PackedFilterBytes(FilterOf(op), layout);
  return HasConstantBias(op) ? BytesIn(layout, op.input(2)) : 0;
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  if (HasConstantFilter(op)) {
    PackFilter(FilterOf(op), FloatsOf(op, 1), FloatsOf(op, 2), layout, to);
  } else if (HasConstantBias(op)) {
    PackRow(FloatsOf(op, 2), op.input(2).shape[0], layout, to);
  }
}

const char* WhyUnsupported(const OpInstance& op) {
  if (HasConstantFilter(op)) return WhyNotPacked(op);
  return WhyNotRead(op);
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const OutputRange& range = op.as<FullyConnectedAttrs>().range;
  if (HasConstantFilter(op)) return LowerGemm(op, FilterOf(op), range, dispatches);
  LowerProduct(op,
               {.transpose_b = true,
                .bias = op.num_inputs() > 2,
                .bias_operand = HasConstantBias(op) ? Packed() : Input(2),
                .range = range},
               dispatches);
}

}  // namespace

const OpLowering kFullyConnectedLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .packed_bytes = PackedBytes, .pack = Pack};

}  // namespace linnet::vulkan
