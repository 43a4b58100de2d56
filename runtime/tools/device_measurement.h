// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/ops/op_family.h"

namespace linnet::tools {

// Measurements of a step.
struct MeasuredStep {
  std::string source;  // the node it came from; "" when the plan was stripped
  OpFamily family = OpFamily::kOther;
  double median_us = 0.0;
  int64_t runs = 0;
  int64_t flops = 0, bytes = 0;
  bool runs_once = true;  // false: flops and bytes are of one execution, the time is of all of them
};

// What a plan's runs tell about a device.
struct MeasuredDevice {
  std::string key;  // "cpu", "vulkan"
  std::vector<MeasuredStep> steps;
  // Of a device other than the CPU; 0 where they are not known.
  double submit_us = 0.0;                  // of each submission
  double copy_us = 0.0, copy_bytes = 0.0;  // between it and the CPU, in both directions together
};

// The JSON that `linnet convert --device-profile` reads (converter/place/README.md):
//   launch_us    time of the fastest step
//   flops_per_s, depthwise_flops_per_s, other_flops_per_s
//                arithmetic of the steps of a family, without launch_us; of other steps only those
//                that do more than kMovingFlops for each byte
//   bytes_per_s  of the remaining steps, without launch_us, or what a convolution or product proves
//   submit_us    as given
//   nodes        for each source, the number of runs of its steps and their time at the median
//   copies       between the CPU and the device
// Numbers that the steps do not determine are left out; the converter then uses its defaults.
std::string DeviceProfileJson(std::span<const MeasuredDevice> devices);

// Steps that are shorter than this many launches, or have less arithmetic (or bytes) than this,
// tell little about rates: they do not fill a device.
inline constexpr double kTellingLaunches = 4.0;
inline constexpr double kTellingWork = 1 << 16;
// Steps with less arithmetic than this for each byte mostly move data: copies, sums, clamps.
inline constexpr double kMovingFlops = 0.3;

}  // namespace linnet::tools
