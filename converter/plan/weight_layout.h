// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/program.h"

namespace linnet::converter {

// The weights of all programs and where they go, relative to the weights part of the file. Points
// into the programs.
struct WeightLayout {
  std::vector<const Constant*> weights;
  std::vector<int64_t> offsets;
  std::vector<std::vector<int>> indices;  // [program][its own number] -> into `weights`
  int64_t bytes = 0;
};

// A weight that several programs have is laid out once. In order of first use.
WeightLayout LayOutWeights(std::span<const Program> programs);

}  // namespace linnet::converter
