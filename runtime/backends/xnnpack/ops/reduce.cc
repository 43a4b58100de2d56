// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reduce.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::Reduce Describe(const OpInstance& op) {
  const auto& attrs = op.as<ReduceAttrs>();
  const Shape& x = op.input(0).shape;
  const int first = static_cast<int>(attrs.axes[0]);
  const int end = static_cast<int>(attrs.axes.back()) + 1;
  return {.mean = attrs.kind == schema::ReduceKind::Mean,
          .batch = static_cast<size_t>(x.Product(0, first)),
          .reduced = static_cast<size_t>(x.Product(first, end)),
          .channels = static_cast<size_t>(x.Product(end, x.rank()))};
}

}  // namespace

const Lowering kReduceLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
