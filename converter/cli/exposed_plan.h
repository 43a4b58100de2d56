// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace linnet::cli {

// A tensor that a step of a plan writes.
struct ExposedTensor {
  int32_t step = 0, output = 0;
  std::string op;                    // "Conv2D"
  std::vector<std::string> sources;  // TensorFlow nodes that the step stands for
  std::string fetched_as;            // the plan's name for it where it is an output, else ""
};

// A plan with the programs of one signature of another plan, whose outputs are all tensors that the
// host's steps write, in order; not those of regions, which a loop writes again and again. No two
// tensors share memory, so that all values are still there after the last step. What a program for
// the GPU computes there is copied to the host at the end.
struct ExposedPlan {
  std::string bytes;  // to open with linnet_plan_open_memory
  std::vector<ExposedTensor> tensors;
};

// `signature`: empty means the first. InvalidArgument with the runtime's words for a damaged plan;
// NotFound for the signature; Unimplemented where the host's program has steps on several devices,
// or where the signature's programs do not have the same steps.
absl::StatusOr<ExposedPlan> ExposeTensors(std::span<const std::byte> plan,
                                          const std::string& signature);

}  // namespace linnet::cli
