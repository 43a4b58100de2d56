// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cast.h"

#include "runtime/backends/vulkan/elementwise.h"
#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

uint KindOf(DType to) {
  switch (to) {
    case DType::kFloat32:
      return kUnaryToFloat;
    case DType::kUint8:
      return kUnaryToByte;
    case DType::kBool:
      return kUnaryToBool;
    default:
      return kUnaryToInt;
  }
}

// Elements that stay what they are.
CopyDims Describe(const OpInstance& op) {
  const Rows rows = RowsOf(op.input(0));
  CopyDims dims{.row_dims = 1};
  dims.Append(rows.count, rows.quads * 4);
  dims.Append(rows.columns, 1);
  return dims;
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const DType from = op.input(0).dtype, to = op.output(0).dtype;
  if (from == to) return LowerStridedCopy<Describe>(op, dispatches);
  Shader shader = Shader::k_unary_int;
  if (from == DType::kFloat32) shader = Shader::k_float_to_int;
  if (to == DType::kFloat32) shader = Shader::k_int_to_float;
  AddElementwise(shader, op, KindOf(to), 0.0f, dispatches);
}

}  // namespace

const OpLowering kCastLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
