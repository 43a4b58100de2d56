// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depth_to_space.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const int64_t block = op.as<DepthToSpaceAttrs>().block;
  const Shape& in = op.input(0).shape;
  const Shape strides = Rows4Strides(in);
  const int64_t channels = op.output(0).shape[3];
  CopyDims dims{.row_dims = 1};
  dims.Append(in[0], strides[0]);
  dims.Append(in[1], strides[1]);
  dims.Append(block, block * channels);
  dims.Append(in[2], strides[2]);
  dims.Append(block, channels);
  dims.Append(channels, 1);
  return dims;
}

}  // namespace

const OpLowering kDepthToSpaceLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                          .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
