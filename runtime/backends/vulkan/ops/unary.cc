// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/unary.h"

#include "runtime/backends/vulkan/elementwise.h"

namespace linnet::vulkan {
namespace {

using schema::UnaryKind;

// The shaders have the schema's numbers.
static_assert(kUnaryAbs == static_cast<uint>(UnaryKind::Abs));
static_assert(kUnaryLog1p == static_cast<uint>(UnaryKind::Log1p));
static_assert(kUnaryTanh == static_cast<uint>(UnaryKind::Tanh));
static_assert(kUnaryLeakyRelu == static_cast<uint>(UnaryKind::LeakyRelu));
static_assert(kUnaryIsFinite == static_cast<uint>(UnaryKind::IsFinite));
static_assert(kUnaryErfinv == static_cast<uint>(UnaryKind::Erfinv));
static_assert(kUnaryBitwiseNot == static_cast<uint>(UnaryKind::MAX));

Shader ShaderOf(UnaryKind kind, DType input) {
  if (input != DType::kFloat32) return Shader::k_unary_int;
  switch (kind) {
    case UnaryKind::IsNan:
    case UnaryKind::IsInf:
    case UnaryKind::IsFinite:
      return Shader::k_float_to_int;
    case UnaryKind::Sin:
    case UnaryKind::Cos:
    case UnaryKind::Tan:
    case UnaryKind::Asin:
    case UnaryKind::Acos:
    case UnaryKind::Atan:
    case UnaryKind::Sinh:
    case UnaryKind::Cosh:
    case UnaryKind::Asinh:
    case UnaryKind::Acosh:
    case UnaryKind::Atanh:
    case UnaryKind::Lgamma:
    case UnaryKind::Digamma:
    case UnaryKind::Erfc:
    case UnaryKind::Erfinv:
      return Shader::k_unary_special;
    default:
      return Shader::k_unary;
  }
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const UnaryAttrs& attrs = op.as<UnaryAttrs>();
  AddElementwise(ShaderOf(attrs.kind, op.input(0).dtype), op, static_cast<uint>(attrs.kind),
                 attrs.alpha, dispatches);
}

}  // namespace

const OpLowering kUnaryLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
