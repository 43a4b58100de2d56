// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const Shape& perm = op.as<TransposeAttrs>().perm;
  const Shape strides = Rows4Strides(op.input(0).shape);
  CopyDims dims{.row_dims = 1};
  for (int i = 0; i < perm.rank(); ++i)
    dims.Append(op.output(0).shape[i], strides[static_cast<int>(perm[i])]);
  return dims;
}

}  // namespace

const OpLowering kTransposeLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                       .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
