// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/unary.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::UnaryKind KindOf(schema::UnaryKind kind) {
  using From = schema::UnaryKind;
  using To = xnn::UnaryKind;
  switch (kind) {
    case From::Abs:
      return To::kAbs;
    case From::Neg:
      return To::kNegate;
    case From::Square:
      return To::kSquare;
    case From::Floor:
      return To::kFloor;
    case From::Ceil:
      return To::kCeiling;
    case From::Round:
      return To::kRoundToEven;
    case From::HardSwish:
      return To::kHardSwish;
    case From::Elu:
      return To::kElu;
    case From::LeakyRelu:
      return To::kLeakyRelu;
    case From::Exp:
      return To::kExp;
    case From::Tanh:
      return To::kTanh;
    case From::GeluErf:
      return To::kGelu;
    case From::Sigmoid:
      return To::kSigmoid;
    default:
      return To::kNone;
  }
}

xnn::Unary Describe(const OpInstance& op) {
  const auto& attrs = op.as<UnaryAttrs>();
  xnn::Unary unary = {.kind = KindOf(attrs.kind),
                      .elements = static_cast<size_t>(op.output(0).shape.num_elements())};
  if (unary.kind == xnn::UnaryKind::kLeakyRelu) unary.alpha = attrs.alpha;
  return unary;
}

}  // namespace

const Lowering kUnaryLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
