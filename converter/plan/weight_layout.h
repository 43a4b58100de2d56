// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/program.h"
#include "converter/plan/weight_order.h"

namespace linnet::converter {

// The weights of all programs and where they go, relative to the weights part of the file. Points
// into the programs.
struct WeightLayout {
  struct Weight {
    const Constant* value = nullptr;
    schema::Encoding encoding = schema::Encoding::Plain;  // in the file
    int64_t offset = 0, bytes = 0;
  };
  std::vector<Weight> weights;
  std::vector<std::vector<int>> indices;  // [program][its own number] -> into `weights`
  int64_t bytes = 0;
};

// A weight that several programs have is laid out once. In order of first use.
WeightLayout LayOutWeights(std::span<const Program> programs, WeightOrder order);

}  // namespace linnet::converter
