// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "linnet/linnet.h"

namespace linnet::cli {

struct TensorData {
  linnet_tensor_info info;
  const void* data;
};

struct Comparison {
  int64_t different = 0;  // elements
  double worst = 0;  // largest difference of floats, as a part of the largest finite value of `b`
  std::string text;  // the first elements that differ, a line each
};

// Compares two tensors of one dtype, element by element; where their shapes differ all elements do.
// Floats may differ by `tolerance` times the largest finite value of `b`; NaN equals NaN,
// infinities equal themselves; everything else must be equal.
Comparison CompareTensors(const TensorData& a, const TensorData& b, double tolerance);

}  // namespace linnet::cli
