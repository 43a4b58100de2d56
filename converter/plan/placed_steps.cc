// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/placed_steps.h"

#include <algorithm>

#include "converter/place/cost_model.h"
#include "fmt/format.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// A step of a plan touches one memory only, in which each of its values has a form.
absl::Status CheckMemory(const Node& node, int device, const DeviceSet& devices) {
  bool all_here = true, all_have_form = true;
  const auto check = [&](DType dtype) {
    all_here &= MemoryOf(devices, device, dtype) == device;
    all_have_form &= HasForm(devices[device].layout, dtype);
  };
  for (int i = 0; i < node.num_inputs(); ++i)
    if (const Output input = node.input(i); !input.node->IsConstant())
      check(OutputDType(*input.node, input.index));
  for (int i = 0; i < node.num_outputs(); ++i) check(OutputDType(node, i));
  if (all_here && all_have_form) return absl::OkStatus();
  return absl::UnimplementedError(fmt::format(
      "'{}' runs on {} with a value {}, which a plan cannot express", node.name(),
      devices[device].key,
      all_here ? "of a dtype that its memory has no form for" : "in the host's memory"));
}

int64_t ScratchBytes(const Node& node, const Device& device) {
  const bool has_op = node.node_class() == NodeClass::kOp;
  return has_op && device.scratch_bytes != nullptr ? device.scratch_bytes(node) : 0;
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
      placed.steps_.push_back({.node = node,
                               .space = space,
                               .scratch_bytes = ScratchBytes(*node, devices[segment.device])});
      if (space != 0) placed.space_of_[node] = space;
    }
  }
  if (std::ssize(placed.spaces_) < kMaxSpaces) return placed;
  return absl::UnimplementedError(
      fmt::format("a plan has room for {} devices beside the host, not for {}", kMaxSpaces - 1,
                  placed.spaces_.size()));
}

int PlacedSteps::SpaceOfDevice(const Device& device) {
  if (device.is_host) return 0;
  const auto index = std::ranges::find(spaces_, device.key, &DeviceSpace::device) - spaces_.begin();
  if (index == std::ssize(spaces_)) spaces_.push_back({device.key, device.layout});
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
