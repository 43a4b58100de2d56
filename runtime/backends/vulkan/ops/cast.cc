// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cast.h"

#include "runtime/backends/vulkan/elementwise.h"

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

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const DType from = op.input(0).dtype, to = op.output(0).dtype;
  Shader shader = Shader::k_unary_int;  // also for floats that stay floats: it moves bits
  if (from == DType::kFloat32 && to != DType::kFloat32) shader = Shader::k_float_to_int;
  if (from != DType::kFloat32 && to == DType::kFloat32) shader = Shader::k_int_to_float;
  AddElementwise(shader, op, KindOf(to), 0.0f, dispatches);
}

}  // namespace

const OpLowering kCastLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
