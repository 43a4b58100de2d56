// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace linnet::tools {

// A step of the CPU, as it was measured.
struct MeasuredStep {
  std::string source;  // the node it came from; "" when the plan was stripped
  double median_us = 0.0;
  int64_t runs = 0;
  int64_t macs = 0, bytes = 0;
  bool runs_once = true;  // false: macs and bytes are of one of its executions, the time is of all
};

// The JSON that `linnet convert --device-profile` reads (converter/place/README.md):
//   launch_us    the quickest step
//   flops_per_s  of all steps with products, two per multiply-accumulate, launches taken off
//   bytes_per_s  of all others, launches taken off
//   nodes        each source: its runs at the median; steps of one source count as runs of it
// What the steps do not tell is left out, and the converter keeps its own figure.
std::string DeviceProfileJson(std::span<const MeasuredStep> steps);

}  // namespace linnet::tools
