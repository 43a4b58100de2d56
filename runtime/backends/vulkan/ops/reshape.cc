// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reshape.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

CopyDims Describe(const OpInstance& op) {
  const Rows rows = RowsOf(op.input(0));
  CopyDims dims{.row_dims = rows.columns == RowsOf(op.output(0)).columns ? 1 : 0};
  dims.Append(rows.count, rows.quads * 4);
  dims.Append(rows.columns, 1);
  return dims;
}

}  // namespace

const OpLowering kReshapeLowering = {.why_unsupported = WhyNotStridedCopy<Describe>,
                                     .lower = LowerStridedCopy<Describe>};

}  // namespace linnet::vulkan
