// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/placed_steps.h"

#include <algorithm>

#include "converter/place/cost_model.h"
#include "fmt/format.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// A step of a plan touches one memory only.
absl::Status CheckMemory(const Node& node, int device, const DeviceSet& devices) {
  const auto is_here = [&](const Node& of, int output) {
    return MemoryOf(devices, device, OutputDType(of, output)) == device;
  };
  bool all_here = true;
  for (int i = 0; i < node.num_inputs(); ++i)
    all_here &=
        node.input(i).node->IsConstant() || is_here(*node.input(i).node, node.input(i).index);
  for (int i = 0; i < node.num_outputs(); ++i) all_here &= is_here(node, i);
  if (all_here) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("'{}' runs on {} with a value in the host's memory, which a plan cannot express",
                  node.name(), devices[device].key));
}

}  // namespace

absl::StatusOr<PlacedSteps> PlacedSteps::Of(const Partition& partition, const DeviceSet& devices) {
  PlacedSteps placed;
  const auto on_host = [&](const Segment& segment) { return devices[segment.device].is_host; };
  if (std::ranges::all_of(partition.segments, on_host)) return placed;
  auto copy = partition.copies.begin();
  for (size_t i = 0; i <= partition.segments.size(); ++i) {
    for (; copy != partition.copies.end() && copy->before == static_cast<int>(i); ++copy)
      placed.AddCopy(*copy, placed.SpaceOfDevice(devices[copy->to]));
    if (i == partition.segments.size()) break;
    const Segment& segment = partition.segments[i];
    const int space = placed.SpaceOfDevice(devices[segment.device]);
    for (const Node* node : segment.nodes) {
      if (space != 0)
        if (absl::Status s = CheckMemory(*node, segment.device, devices); !s.ok()) return s;
      placed.steps_.push_back({.node = node, .space = space});
      if (space != 0) placed.spaces_[node] = space;
    }
  }
  if (std::ssize(placed.devices_) < kMaxSpaces) return placed;
  return absl::UnimplementedError(
      fmt::format("a plan has room for {} devices beside the host, not for {}", kMaxSpaces - 1,
                  placed.devices_.size()));
}

int PlacedSteps::SpaceOfDevice(const Device& device) {
  if (device.is_host) return 0;
  const auto index = std::ranges::find(devices_, device.key) - devices_.begin();
  if (index == std::ssize(devices_)) devices_.push_back(device.key);
  return static_cast<int>(index) + 1;
}

// A device exchanges values with the host's memory only: from one device to another a value goes
// through that, and is copied to it once.
void PlacedSteps::AddCopy(const Copy& copy, int to) {
  const bool is_there = to == 0 && !on_host_too_.emplace(copy.node, copy.output).second;
  if (is_there) return;
  if (to != 0 && SpaceOf(copy.node) != 0 && on_host_too_.emplace(copy.node, copy.output).second)
    steps_.push_back({copy.node, copy.output, 0});
  steps_.push_back({copy.node, copy.output, to});
}

}  // namespace linnet::converter
