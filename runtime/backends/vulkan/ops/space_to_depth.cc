// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/space_to_depth.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const int64_t block = op.as<SpaceToDepthAttrs>().block;
  const Shape& out = op.output(0).shape;
  const Shape strides = Rows4Strides(op.input(0).shape);
  CopyDims dims{.row_dims = 3};
  dims.Append(out[0], strides[0]);
  dims.Append(out[1], block * strides[1]);
  dims.Append(out[2], block * strides[2]);
  dims.Append(block, strides[1]);
  dims.Append(block, strides[2]);
  dims.Append(op.input(0).shape[3], 1);
  return dims;
}

}  // namespace

const OpLowering kSpaceToDepthLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                          .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
