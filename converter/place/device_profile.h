// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace linnet::converter {

// How fast a device is. Profiles name devices by their keys: "cpu", "vulkan".
struct DeviceRates {
  double flops_per_s = 0.0;            // of convolutions and matrix products
  double depthwise_flops_per_s = 0.0;  // of depthwise convolutions; 0: as the others
  double other_flops_per_s = 0.0;      // of all other steps; 0: as convolutions
  double bytes_per_s = 0.0;
  double launch_us = 0.0;  // what every step takes in addition to its work
  double submit_us = 0.0;  // what every segment takes: to hand it over and to wait for its end
};
struct CopyRates {
  double bytes_per_s = 0.0, latency_us = 0.0;
};
// How long `count` runs of a step took together.
struct Measurement {
  int64_t count = 0;
  double total_us = 0.0;
};

// A target device as the cost model sees it: rates, and times of single nodes where they were
// measured. README.md has the file format.
struct DeviceProfile {
  std::map<std::string, DeviceRates, std::less<>> devices;
  std::map<std::pair<std::string, std::string>, CopyRates> copies;  // from, to
  // By device, then by the name of a node of the model.
  std::map<std::string, std::map<std::string, Measurement, std::less<>>, std::less<>> measured;

  // Those of the default's "cpu", and of its copies from "cpu" to "vulkan", where there are none.
  DeviceRates RatesOf(std::string_view device) const;
  CopyRates CopyOf(const std::string& from, const std::string& to) const;

  // Roughly the big cores of a mid-range phone and its GPU: what is assumed where nothing was
  // measured.
  static DeviceProfile Default();
  // The default, with the values of `json` in place of its own. Nodes that ran less than half as
  // often as the median node are left out, because not every run executes them. InvalidArgument
  // with all that is wrong.
  static absl::StatusOr<DeviceProfile> Parse(std::string_view json,
                                             std::span<const std::string> known_devices);
  // NotFound when there is no such file.
  static absl::StatusOr<DeviceProfile> Read(const std::string& path,
                                            std::span<const std::string> known_devices);
};

}  // namespace linnet::converter
