// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/prelu.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

#ifdef LINNET_XNNPACK_2024
xnn::Binary Describe(const OpInstance& op) {
  return {.kind = xnn::BinaryKind::kPrelu,
          .a = DimsOf(op.input(0).shape),
          .b = DimsOf(op.input(1).shape),
          .output_elements = static_cast<size_t>(op.output(0).shape.num_elements()),
          .bounded = false,
          .range = {}};
}
#else
xnn::ChannelPrelu Describe(const OpInstance& op) {
  const Shape& x = op.input(0).shape;
  return {.rows = static_cast<size_t>(x.Product(0, x.rank() - 1)),
          .channels = static_cast<size_t>(x.back()),
          .slope = ConstantOf(op, 1)};
}
#endif

}  // namespace

const Lowering kPreluLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
