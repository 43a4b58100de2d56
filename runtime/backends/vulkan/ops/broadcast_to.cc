// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/broadcast_to.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const Shape &in = op.input(0).shape, &out = op.output(0).shape;
  const Shape strides = Rows4Strides(in);
  CopyDims dims{.row_dims = 1};
  for (int i = 0; i < out.rank(); ++i) {
    const int axis = i - (out.rank() - in.rank());
    dims.Append(out[i], axis < 0 || in[axis] == 1 ? 0 : strides[axis]);
  }
  return dims;
}

}  // namespace

const OpLowering kBroadcastToLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                         .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
