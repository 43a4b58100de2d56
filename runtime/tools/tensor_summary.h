// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "linnet/linnet.h"

namespace linnet::tools {

// What is in a tensor, at a glance.
struct TensorSummary {
  struct Entry {
    int64_t index;
    double value;
  };
  int64_t nans = 0;
  double min = 0, max = 0;     // of the elements that are numbers; 0 when there is none
  std::vector<Entry> largest;  // the largest first, five or all; equal ones by index
  std::vector<double> all;     // the elements of a short tensor, else empty
};

TensorSummary Summarize(const linnet_tensor_info& info, const void* data);

// "f32[1,1000]  0.0001..0.62  largest: 285 (0.62), 281 (0.13), 282 (0.04), 287 (0.02), 283 (0.01)":
// type, shape and range; of a single row the places of its largest elements; all elements of a
// short one.
std::string SummaryText(const linnet_tensor_info& info, const TensorSummary& summary);

}  // namespace linnet::tools
