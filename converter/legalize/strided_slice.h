// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/core/shape.h"

namespace linnet::converter {

// Inputs and attributes of TensorFlow's StridedSlice: x[1:, ..., newaxis, 3, ::-2]. Bit i of a mask
// is about entry i of the vectors.
struct StridedSliceSpec {
  std::vector<int64_t> begin, end, strides;
  int64_t begin_mask = 0, end_mask = 0;  // begin[i], end[i] are as far out as possible
  int64_t ellipsis_mask = 0;             // entry i stands for all dimensions nobody else names
  int64_t new_axis_mask = 0;             // entry i adds a dimension of 1
  int64_t shrink_axis_mask = 0;          // entry i takes the element begin[i]
};

// The same as a Slice of every dimension and a reshape of its result.
struct SlicePlan {
  Shape begin, size, stride;  // per dimension of the input
  Shape shape;                // of the result
};

// InvalidArgument for what TensorFlow refuses too.
absl::StatusOr<SlicePlan> PlanStridedSlice(const StridedSliceSpec& spec, const Shape& input);

}  // namespace linnet::converter
