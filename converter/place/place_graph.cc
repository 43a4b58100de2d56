// SPDX-License-Identifier: Apache-2.0
#include "converter/place/place_graph.h"

#include <algorithm>

#include "converter/graph/problems.h"
#include "fmt/format.h"
#include "runtime/backends/portable/support.h"
#include "runtime/backends/vulkan/support.h"
#include "runtime/backends/xnnpack/support.h"

namespace linnet::converter {
namespace {

const std::string kAuto = "auto", kCpu = "cpu", kVulkan = "vulkan";
// If the estimates promise less, using another device is not worth it.
constexpr double kMinSavingUs = 1000.0;
constexpr double kMinSavingShare = 0.2;

std::string WhyNotOnCpu(const Node& node) {
  if (node.node_class() != NodeClass::kOp) return "";
  const NodeInstance instance(node);
  if (xnnpack::WhyUnsupported(instance.op(), xnnpack::PackageFeatures()) == nullptr) return "";
  const char* reason = portable::WhyUnsupported(instance.op());
  return reason == nullptr ? "" : reason;
}

std::string WhyNotOnVulkan(const Node& node) {
  if (node.node_class() != NodeClass::kOp) return "";
  const char* reason = vulkan::WhyUnsupported(NodeInstance(node).op());
  return reason == nullptr ? "" : reason;
}

int64_t ScratchOnVulkan(const Node& node, linnet::Layout layout) {
  return vulkan::ScratchBytes(NodeInstance(node).op(), layout);
}

std::string WhyNotInHalves(const Node& node) {
  if (node.node_class() == NodeClass::kOp && node.kind() == OpKind::kCropAndResize)
    return "boxes in 16 bits would move the samples";
  return WhyNotOnVulkan(node);
}

bool ComesFrom(const Node& node, const std::string& name) {
  return node.name() == name || std::ranges::count(node.sources(), name) > 0;
}

bool NamesMachine(const Node& node) {
  const absl::StatusOr<DeviceName> name = ParseDeviceName(node.requested_device());
  return name.ok() && (name->job || name->replica || name->task);
}

class Preparation {
 public:
  Preparation(const PlaceRequest& request, const DeviceSet& devices, const Graph& graph,
              std::vector<std::string>* notes)
      : request_(request), devices_(devices), graph_(graph), notes_(*notes) {}

  absl::StatusOr<PlacerOptions> Options() {
    options_.min_saving_us = kMinSavingUs;
    options_.min_saving_share = kMinSavingShare;
    options_.constraints.ignore_machines = true;
    if (request_.place != kAuto)
      if (const int device = Find("--place " + request_.place, request_.place); device >= 0)
        options_.constraints.wish = devices_[device].name;
    for (const PlaceRequest::NodeRequest& node : request_.nodes) AddNode(node);
    if (!problems_.empty()) return problems_.ToStatus();
    return options_;
  }

 private:
  // -1 when this build has no such device.
  int Find(const std::string& flag, const std::string& key) {
    const int device = devices_.FindKey(key);
    if (device >= 0) return device;
    const auto known = KnownDevices();
    if (std::ranges::count(known, key) == 0)
      problems_.Add({.reason = fmt::format("{}: there is no device '{}'", flag, key),
                     .remedy = fmt::format("known are {}", fmt::join(known, ", "))});
    else
      notes_.push_back(fmt::format("{}: this build has no {} backend; {} runs it instead", flag,
                                   key, devices_.all().back().key));
    return -1;
  }

  void AddNode(const PlaceRequest::NodeRequest& asked) {
    const std::string flag = fmt::format("--place-node {}={}", asked.node, asked.device);
    const int device = Find(flag, asked.device);
    bool is_there = false;
    for (const Node* node : graph_.op_nodes()) {
      if (node->node_class() != NodeClass::kOp || !ComesFrom(*node, asked.node)) continue;
      is_there = true;
      if (device >= 0) Fix(flag, *node, devices_[device]);
    }
    if (is_there) return;
    problems_.Add({.node = asked.node,
                   .reason = "no step of the plan comes from a node of this name",
                   .remedy = "--explain-placement without --place-node lists those that there are",
                   .code = absl::StatusCode::kNotFound});
  }

  void Fix(const std::string& flag, const Node& node, const Device& device) {
    if (const std::string why = device.why_unsupported(node); !why.empty()) {
      problems_.Add(node, fmt::format("{} cannot run it: {}", device.key, why),
                    fmt::format("leave out {}", flag));
      return;
    }
    const auto [it, added] = options_.constraints.fixed.emplace(node.id(), device.name);
    if (!added && it->second != device.name)
      problems_.Add(
          node,
          fmt::format("it is placed on {} and on {}", ToString(it->second), ToString(device.name)),
          fmt::format("leave out {}", flag));
  }

  const PlaceRequest& request_;
  const DeviceSet& devices_;
  const Graph& graph_;
  std::vector<std::string>& notes_;
  PlacerOptions options_;
  Problems problems_;
};

// What became of the devices that the model asks for.
void AddNotes(const Graph& graph, const Placement& placement, std::vector<std::string>* notes) {
  std::vector<std::string> steps;
  for (const Node* node : placement.not_as_asked)
    if (node->node_class() == NodeClass::kOp)
      steps.push_back(fmt::format("'{}' for {}", node->name(), node->requested_device()));
  if (!steps.empty())
    notes->push_back(fmt::format("{} step{} did not get the device that the model asks for: {}{}",
                                 steps.size(), steps.size() == 1 ? "" : "s", steps[0],
                                 steps.size() == 1 ? "" : " and others"));
  if (std::ranges::any_of(graph.op_nodes(), [](const Node* n) { return NamesMachine(*n); }))
    notes->push_back("job, replica and task of the devices that the model asks for are ignored");
}

}  // namespace

std::span<const std::string> KnownDevices() {
  static const std::string kKnown[] = {kCpu, kVulkan};
  return kKnown;
}

DeviceSet DevicesOfThisBuild(GpuPrecision precision) {
  const bool half = precision == GpuPrecision::kF16;
  const linnet::Layout layout = half ? linnet::Layout::kRows4Half : linnet::Layout::kRows4;
  return DeviceSet(
      {{.name = {.type = "CPU", .id = 0},
        .key = kCpu,
        .is_host = true,
        .why_unsupported = WhyNotOnCpu},
       {.name = {.type = "GPU", .id = 0},
        .key = kVulkan,
        .layout = layout,
        .why_unsupported = half ? WhyNotInHalves : WhyNotOnVulkan,
        .scratch_bytes = [layout](const Node& node) { return ScratchOnVulkan(node, layout); }}});
}

absl::StatusOr<PlacedGraph> PlaceGraph(const PlaceRequest& request, const DeviceSet& devices,
                                       Graph* graph, std::vector<std::string>* notes) {
  PlacedGraph placed{.profile = DeviceProfile::Default()};
  if (!request.profile.empty()) {
    absl::StatusOr<DeviceProfile> profile = DeviceProfile::Read(request.profile, KnownDevices());
    if (!profile.ok())
      return absl::Status(profile.status().code(),
                          fmt::format("--device-profile {}: {}", request.profile,
                                      std::string(profile.status().message())));
    placed.profile = *std::move(profile);
  }
  const absl::StatusOr<PlacerOptions> options =
      Preparation(request, devices, *graph, notes).Options();
  if (!options.ok()) return options.status();
  absl::StatusOr<Placement> placement =
      Place(*graph, devices, CostModel(devices, placed.profile), *options);
  if (!placement.ok()) return placement.status();
  absl::StatusOr<Partition> partition = MakePartition(*graph, devices, *placement);
  if (!partition.ok()) return partition.status();
  placed.placement = *std::move(placement);
  placed.partition = *std::move(partition);
  if (!options->constraints.wish.has_value()) AddNotes(*graph, placed.placement, notes);
  Assign(placed.placement, devices, graph);
  return placed;
}

bool WantsDeviceProgram(const PlaceRequest& request, const DeviceSet& devices,
                        const PlacedGraph& placed) {
  return request.place == kVulkan ||
         std::ranges::any_of(placed.partition.segments, [&](const Segment& segment) {
           return !devices[segment.device].is_host;
         });
}

}  // namespace linnet::converter
