// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/concat.h"

#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

// Adds the copy of input `k`, which begins at `begin` along the axis.
void AddPart(const OpInstance& op, int k, int64_t begin, Dispatches& dispatches) {
  const int axis = op.as<ConcatAttrs>().axis;
  const Shape &in = op.input(k).shape, &out = op.output(0).shape;
  const int last = out.rank() - 1;
  const Rows rows = RowsOf(op.input(k)), out_rows = RowsOf(op.output(0));
  CopyDims dims{.row_dims = 1};
  dims.Append(rows.count, rows.quads * 4);
  dims.Append(rows.columns, 1);
  StridedCopy copy;
  PlanStridedCopy(dims, rows.columns, true, &copy);
  StridedCopyPush& push = copy.push;
  push.to_row = static_cast<uint>(out_rows.quads);
  if (axis < last) {
    push.to = static_cast<uint>(begin * out.Product(axis + 1, last) * out_rows.quads);
    push.block_rows = static_cast<uint>(in.Product(axis, last));
    push.to_block = static_cast<uint>(out.Product(axis, last) * out_rows.quads);
    return AddStridedCopy(copy, k, 0, dispatches);
  }
  push.to = static_cast<uint>(begin / 4);
  push.first = static_cast<uint>(begin % 4);
  push.row_quads = static_cast<uint>((push.first + rows.columns + 3) / 4);
  push.quads = static_cast<uint>(rows.count * push.row_quads);
  const bool ends_row = begin + rows.columns == out_rows.columns;
  if (push.first == 0 && (rows.columns % 4 == 0 || ends_row))
    return AddStridedCopy(copy, k, 0, dispatches);
  copy.mode = kCopyElements;
  AddStridedCopy(copy, k, ends_row ? 2 : 1, dispatches);
}

const char* WhyUnsupported(const OpInstance& op) {
  return op.num_inputs() <= kMaxDispatches ? nullptr : "more than 32 inputs";
}
static_assert(kMaxDispatches == 32);

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const int axis = op.as<ConcatAttrs>().axis;
  int64_t begin = 0;
  for (int k = 0; k < op.num_inputs(); ++k) {
    if (op.input(k).shape.num_elements() > 0) AddPart(op, k, begin, dispatches);
    begin += op.input(k).shape[axis];
  }
}

}  // namespace

const OpLowering kConcatLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
