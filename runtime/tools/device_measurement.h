// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace linnet::tools {

// Measurements of a step that ran on the CPU.
struct MeasuredStep {
  std::string source;  // the node it came from; "" when the plan was stripped
  double median_us = 0.0;
  int64_t runs = 0;
  int64_t macs = 0, bytes = 0;
  bool runs_once = true;  // false: macs and bytes are of one execution, the time is of all of them
};

// The JSON that `linnet convert --device-profile` reads (converter/place/README.md):
//   launch_us    time of the fastest step
//   flops_per_s  of all steps with multiply-accumulates (two operations each), without launch_us
//   bytes_per_s  of all other steps, without launch_us
//   nodes        for each source, the number of runs of its steps and their time at the median
// Numbers that the steps do not determine are left out; the converter then uses its defaults.
std::string DeviceProfileJson(std::span<const MeasuredStep> steps);

}  // namespace linnet::tools
