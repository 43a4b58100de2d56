// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/strided_copy.h"

namespace linnet::vulkan {
namespace {

// `what` with neighbours joined that are one dimension. Across the row's beginning only if
// `join_rows`.
CopyDims Joined(const CopyDims& what, bool join_rows) {
  CopyDims joined{.from = what.from};
  for (int i = 0; i < what.count; ++i) {
    const CopyDim& dim = what.dims[i];
    if (dim.extent == 1) continue;
    const bool in_row = i >= what.count - what.row_dims;
    const bool begins_row = in_row && joined.row_dims == 0;
    CopyDim* last = joined.count == 0 ? nullptr : &joined.dims[joined.count - 1];
    if (last != nullptr && last->stride == dim.extent * dim.stride && (join_rows || !begins_row)) {
      *last = {last->extent * dim.extent, dim.stride};
    } else {
      joined.Append(dim.extent, dim.stride);
      joined.row_dims += in_row ? 1 : 0;
    }
  }
  // One element, or rows of one element.
  if (joined.count == 0 || (what.row_dims > 0 && joined.row_dims == 0 && !join_rows)) {
    joined.Append(1, 1);
    joined.row_dims = 1;
  }
  return joined;
}

bool ReadsWholeQuads(const CopyDims& dims) {
  if (dims.from % 4 != 0 || dims.dims[dims.count - 1].stride != 1) return false;
  for (int i = 0; i < dims.count - 1; ++i)
    if (dims.dims[i].stride % 4 != 0) return false;
  return true;
}

}  // namespace

Shape Rows4Strides(const Shape& shape) {
  Shape strides = shape;
  int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= i == shape.rank() - 1 ? RowElements(Layout::kRows4, shape[i]) : shape[i];
  }
  return strides;
}

const char* PlanStridedCopy(const CopyDims& what, int64_t columns, bool keep_rows,
                            StridedCopy* copy) {
  const bool join_rows = !keep_rows && columns % 4 == 0;
  const CopyDims dims = Joined(what, join_rows);
  if (dims.count > kMaxShaderRank) return "more than 6 dimensions that cannot be merged";
  const int64_t innermost = dims.dims[dims.count - 1].extent;
  const bool whole_rows = join_rows && innermost % 4 == 0;
  if (whole_rows) columns = innermost;
  const bool rows_stay = !join_rows && what.row_dims > 0 && dims.row_dims == 1;
  const bool one_row = dims.count == 1 && innermost == columns;
  const bool spread = !whole_rows && !rows_stay && !one_row;
  copy->mode = spread ? kCopySpread : ReadsWholeQuads(dims) ? kCopyQuads : kCopyElements;
  copy->rank = static_cast<uint>(dims.count);
  int64_t elements = 1;
  for (int i = 0; i < dims.count; ++i) {
    const CopyDim& dim = dims.dims[dims.count - 1 - i];
    copy->push.extent[i] = static_cast<uint>(dim.extent);
    copy->push.stride[i] = static_cast<int32_t>(dim.stride);
    elements *= dim.extent;
  }
  const int64_t rows = elements / columns;
  const int64_t row_quads = RowElements(Layout::kRows4, columns) / 4;
  copy->push.quads = static_cast<uint>(rows * row_quads);
  copy->push.row_quads = static_cast<uint>(row_quads);
  copy->push.columns = static_cast<uint>(columns);
  copy->push.to_row = static_cast<uint>(row_quads);
  copy->push.block_rows = static_cast<uint>(rows);
  copy->push.from = static_cast<int32_t>(dims.from);
  return nullptr;
}

void AddStridedCopy(const StridedCopy& copy, int input, uint part, Dispatches& dispatches) {
  Dispatch& dispatch = dispatches.Add(Shader::k_strided_copy, copy.push.quads);
  dispatch.Bind(Input(input));
  dispatch.Bind(Output(0));
  dispatch.Specialise(copy.mode);
  dispatch.Specialise(copy.rank);
  dispatch.Specialise(part);
  dispatch.Push(copy.push);
}

}  // namespace linnet::vulkan
