// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/extent.h"
#include "runtime/core/shape.h"

namespace linnet::converter {

// Bit i of a mask is about element i of begin, end and strides.
struct SliceMasks {
  int64_t begin = 0, end = 0;  // begin[i], end[i] are ignored: as far out as possible
  int64_t ellipsis = 0;        // entry i stands for all dimensions without an entry of their own
  int64_t new_axis = 0;        // entry i adds a dimension of extent 1
  int64_t shrink_axis = 0;     // entry i takes element begin[i] alone and drops the dimension
};

// Inputs and attributes of TensorFlow's StridedSlice: x[1:, ..., newaxis, 3, ::-2].
struct StridedSliceSpec {
  std::vector<Extent> begin, end;
  std::vector<int64_t> strides;
  SliceMasks masks;
};

// The equivalent slice of every dimension, and the shape to which its result is reshaped.
struct SlicePlan {
  std::vector<Extent> begin, size;  // per dimension of the input
  Shape stride;
  std::vector<Extent> shape;  // of the result
};

// The smaller one of a bound, element `entry` of begin or end, and the extent of a dimension, where
// only a run can tell which one that is.
using SmallerOne =
    std::function<absl::StatusOr<Extent>(bool is_end, size_t entry, size_t dimension)>;

// InvalidArgument for what TensorFlow refuses too. Unimplemented where bounds that vary may lie on
// either side of an end, unless `smaller_one` is given.
absl::StatusOr<SlicePlan> PlanStridedSlice(const StridedSliceSpec& spec,
                                           const std::vector<Extent>& input,
                                           const SymbolTable& symbols,
                                           const SmallerOne& smaller_one = nullptr);

}  // namespace linnet::converter
