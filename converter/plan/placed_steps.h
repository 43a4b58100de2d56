// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/place/device.h"
#include "converter/place/partition.h"

namespace linnet::converter {

// A partition in the terms of a plan: numbered memories, and one list of steps in which copies have
// their places. Empty where everything runs on the host: then the order of the steps is free.
class PlacedSteps {
 public:
  // A node's step, or the copy of one of its outputs.
  struct Step {
    const Node* node = nullptr;
    int copied_output = -1;     // -1: the node itself
    int space = 0;              // that the step writes to
    int64_t scratch_bytes = 0;  // of that space, which it may use while it runs
    bool is_copy() const { return copied_output >= 0; }
  };

  // The memory of a device that runs steps.
  struct DeviceSpace {
    std::string device;  // key
    Layout layout = Layout::kDense;
  };

  // Unimplemented: a device's step has a value in the host's memory (Device::host_dtypes), or one
  // that the device's layout has no form for.
  static absl::StatusOr<PlacedSteps> Of(const Partition& partition, const DeviceSet& devices);

  // Spaces 1 and up, in order of first use. Space 0 is the host's.
  const std::vector<DeviceSpace>& spaces() const { return spaces_; }
  const std::vector<Step>& steps() const { return steps_; }
  int SpaceOf(const Node* node) const {
    const auto it = space_of_.find(node);
    return it == space_of_.end() ? 0 : it->second;
  }

 private:
  int SpaceOfDevice(const Device& device);
  void AddCopy(const Copy& copy, int to);

  std::vector<DeviceSpace> spaces_;
  std::vector<Step> steps_;
  std::map<const Node*, int> space_of_;                // nodes on devices; never walked
  std::set<std::pair<const Node*, int>> on_host_too_;  // outputs of such nodes; never walked
};

}  // namespace linnet::converter
