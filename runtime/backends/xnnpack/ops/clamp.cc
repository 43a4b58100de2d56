// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/clamp.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::Unary Describe(const OpInstance& op) {
  return {.kind = xnn::UnaryKind::kClamp,
          .elements = static_cast<size_t>(op.output(0).shape.num_elements()),
          .range = RangeOf(op.as<ClampAttrs>().range)};
}

}  // namespace

const Lowering kClampLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
