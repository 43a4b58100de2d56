// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/binary.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::BinaryKind KindOf(schema::BinaryKind kind) {
  using From = schema::BinaryKind;
  using To = xnn::BinaryKind;
  switch (kind) {
    case From::Sub:
      return To::kSubtract;
    case From::Mul:
      return To::kMultiply;
    case From::Div:
      return To::kDivide;
    case From::Maximum:
      return To::kMaximum;
    case From::Minimum:
      return To::kMinimum;
    case From::SquaredDifference:
      return To::kSquaredDifference;
    default:  // WhyUnsupported lets nothing else through
      return To::kAdd;
  }
}

xnn::Binary Describe(const OpInstance& op) {
  const auto& attrs = op.as<BinaryAttrs>();
  return {.kind = KindOf(attrs.kind),
          .a = DimsOf(op.input(0).shape),
          .b = DimsOf(op.input(1).shape),
          .output_elements = static_cast<size_t>(op.output(0).shape.num_elements()),
          .bounded = !attrs.range.unbounded(),
          .range = RangeOf(attrs.range)};
}

}  // namespace

const Lowering kBinaryLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
