// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/abi/strided_copy.h"
#include "runtime/backends/vulkan/lowering.h"

// Ops that only move elements, as executions of the shader strided_copy.
namespace linnet::vulkan {

// How many elements in kRows4 lie between neighbours along each dimension.
Shape Rows4Strides(const Shape& shape);

// A dimension of what is moved: `stride` is how many elements of the source a step along it is.
struct CopyDim {
  int64_t extent = 1;
  int64_t stride = 0;
};

// What is moved, in the order of the output: dimensions, outermost first, whose product is the
// number of elements. A dimension of the output may be any number of them.
struct CopyDims {
  int count = 0;
  // How many of them, the last ones, are the last dimension of the output. 0: it is no group of
  // them, but part of one or across several.
  int row_dims = 0;
  int64_t from = 0;  // the source's element that comes first
  CopyDim dims[2 * kMaxRank];

  void Append(int64_t extent, int64_t stride) {
    LINNET_DCHECK(count < 2 * kMaxRank);
    dims[count++] = {extent, stride};
  }
};

// A copy in as few dimensions as possible. Rows of the copy may be several rows of the output when
// these have no padding.
struct StridedCopy {
  uint mode = kCopyQuads;
  uint rank = 1;
  StridedCopyPush push = {};
};

// Plans a copy to a whole output whose last dimension is `columns`. nullptr, or why it is not
// possible. `keep_rows`: the copy must have the rows of the output.
const char* PlanStridedCopy(const CopyDims& what, int64_t columns, bool keep_rows,
                            StridedCopy* copy);

// Adds it, from input `input` to output 0. `part`: what the shader's third constant says.
void AddStridedCopy(const StridedCopy& copy, int input, uint part, Dispatches& dispatches);

// For ops that are one copy: their functions of OpLowering, made of a function that describes it.
template <CopyDims (*Describe)(const OpInstance& op)>
const char* WhyNotStridedCopy(const OpInstance& op) {
  if (op.output(0).shape.num_elements() == 0) return nullptr;
  StridedCopy copy;
  return PlanStridedCopy(Describe(op), RowsOf(op.output(0)).columns, false, &copy);
}

template <CopyDims (*Describe)(const OpInstance& op)>
void LowerStridedCopy(const OpInstance& op, Dispatches& dispatches) {
  StridedCopy copy;
  PlanStridedCopy(Describe(op), RowsOf(op.output(0)).columns, false, &copy);
  AddStridedCopy(copy, 0, 0, dispatches);
}

}  // namespace linnet::vulkan
