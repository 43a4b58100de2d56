// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/tile.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const Shape& shape = op.input(0).shape;
  const Shape& multiples = op.as<TileAttrs>().multiples;
  const Shape strides = Rows4Strides(shape);
  CopyDims dims{.row_dims = 2};
  for (int i = 0; i < shape.rank(); ++i) {
    dims.Append(multiples[i], 0);
    dims.Append(shape[i], strides[i]);
  }
  return dims;
}

}  // namespace

const OpLowering kTileLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                  .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
