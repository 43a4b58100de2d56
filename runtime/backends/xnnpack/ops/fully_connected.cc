// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/fully_connected.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::FullyConnected Describe(const OpInstance& op) {
  const Shape& x = op.input(0).shape;
  const Shape& filter = op.input(1).shape;  // [O, K]
  return {.batch = static_cast<size_t>(x.Product(0, x.rank() - 1)),
          .input_channels = static_cast<size_t>(filter[1]),
          .output_channels = static_cast<size_t>(filter[0]),
          .output_pixel_stride = static_cast<size_t>(filter[0]),
          .filter = ConstantOf(op, 1),
          .bias = ConstantOf(op, 2),
          .range = RangeOf(op.as<FullyConnectedAttrs>().range)};
}

}  // namespace

const Lowering kFullyConnectedLowering = MakeLowering<Describe>(/*uses_weights_cache=*/true);

}  // namespace linnet::xnnpack
