// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/slice.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const SliceAttrs& attrs = op.as<SliceAttrs>();
  const Shape strides = Rows4Strides(op.input(0).shape);
  CopyDims dims{.row_dims = 1};
  for (int i = 0; i < strides.rank(); ++i) {
    dims.from += attrs.begin[i] * strides[i];
    // The stride of a single element may be any number, and is not taken.
    dims.Append(attrs.size[i], attrs.size[i] == 1 ? 0 : attrs.stride[i] * strides[i]);
  }
  return dims;
}

}  // namespace

const OpLowering kSliceLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                   .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
