// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/core/shape.h"

namespace linnet::converter {

// "ab,bc->ac" over known shapes. A label is a letter, or -1, -2, ... for the dimensions that "..."
// stands for, the last one first, as they broadcast. A label that an operand has twice stands for
// its diagonal.
struct EinsumEquation {
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
  std::map<int, int64_t> sizes;  // after broadcasting
};

bool Contains(const std::vector<int>& labels, int label);

// InvalidArgument for text or shapes that TensorFlow refuses; Unimplemented for sums over "...".
absl::StatusOr<EinsumEquation> ParseEinsum(std::string_view text, std::span<const Shape> shapes);

}  // namespace linnet::converter
