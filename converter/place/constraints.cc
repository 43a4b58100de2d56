// SPDX-License-Identifier: Apache-2.0
#include "converter/place/constraints.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsString(tf::DataType type) { return BaseType(type) == tf::DT_STRING; }

bool SetsSymbol(const SymbolicShapes& shapes, const Node& node) {
  for (int i = 0; i < shapes.symbols().size(); ++i)
    if (shapes.source(i).node == &node) return true;
  return false;
}

// On the host are strings and lists of them, which no other memory can hold, and the inputs and
// outputs of the graph, which the calling program reads and writes. So are loops, branches, and
// nodes whose extents vary or decide other extents, because the session does part of their work.
bool StaysOnHost(const Graph& graph, const Node& node) {
  if (node.node_class() == NodeClass::kArg || node.node_class() == NodeClass::kRetval ||
      node.IsStructured() || graph.Varies(node) || SetsSymbol(graph.shapes(), node))
    return true;
  const tf::AttrValue* element = node.FindAttr("element_dtype");
  return std::ranges::any_of(node.tf_input_types(), IsString) ||
         std::ranges::any_of(node.tf_output_types(), IsString) ||
         (element != nullptr && element->type() == tf::DT_STRING);
}

std::string NoKernel(const Node& node, const DeviceSet& devices) {
  std::set<std::string> types;
  std::vector<std::string> reasons;
  for (const Device& device : devices.all()) {
    types.insert(device.name.type.value_or("*"));
    reasons.push_back(fmt::format("{}: {}", ToString(device.name), device.why_unsupported(node)));
  }
  return fmt::format(
      "No OpKernel was registered to support Op '{}' used by {{{{node {}}}}}; Registered devices: "
      "[{}]; Registered kernels: <no registered kernels> ({})",
      node.op_name(), node.name(), fmt::join(types, ", "), fmt::join(reasons, "; "));
}

}  // namespace

absl::StatusOr<Constraints> Constraints::Of(const Graph& graph, const DeviceSet& devices,
                                            ConstraintOptions options) {
  if (devices.empty()) return absl::FailedPreconditionError("No devices are registered");
  Constraints constraints(graph, devices, std::move(options));
  Problems problems;
  const std::vector<Node*> nodes = graph.op_nodes();
  for (const Node* node : nodes)
    problems.Add(constraints.AddNode(*node), node->name(), node->op_name());
  // What follows needs nodes that have a candidate each.
  if (!problems.empty()) return problems.ToStatus();
  UniteColocated(graph, &constraints.colocation_, &problems);
  if (!problems.empty()) return problems.ToStatus();
  for (const Node* node : nodes)
    problems.Add(constraints.Narrow(*node), node->name(), node->op_name());
  if (!problems.empty()) return problems.ToStatus();
  return constraints;
}

absl::StatusOr<DeviceName> Constraints::ParseWish(const Node& node) const {
  if (options_.fixed.contains(node.id())) return DeviceName();
  if (options_.wish.has_value()) return *options_.wish;
  absl::StatusOr<DeviceName> name = ParseDeviceName(node.requested_device());
  if (name.ok() && options_.ignore_machines) return DeviceName{.type = name->type, .id = name->id};
  return name;
}

DeviceName Constraints::Wish(const Node& node) const {
  return ParseWish(node).value_or(DeviceName());
}

absl::Status Constraints::AddNode(const Node& node) {
  ColocationGroup& group = colocation_.group(node);
  const absl::StatusOr<DeviceName> wish = ParseWish(node);
  if (!wish.ok()) return wish.status();
  const absl::StatusOr<DeviceName> assigned = ParseAssigned(node);
  if (!assigned.ok()) return assigned.status();
  group.requested = assigned->empty() ? *wish : *assigned;
  if (const auto it = options_.fixed.find(node.id()); it != options_.fixed.end()) {
    group.fixed = it->second;
  } else if (!assigned->empty()) {
    group.fixed = *assigned;
  } else if (MakesResource(node)) {
    group.resource = *wish;
  }
  if (!group.requested.empty() || !group.fixed.empty()) group.asked = &node;

  const bool host_only = StaysOnHost(*graph_, node) && devices_->host() >= 0;
  bool is_supported = false;
  for (int i = 0; i < devices_->size(); ++i) {
    const Device& device = (*devices_)[i];
    if (!device.why_unsupported(node).empty()) continue;
    is_supported = true;
    if (host_only && !device.is_host) continue;
    group.devices.push_back(i);
  }
  if (!group.devices.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(is_supported ? "needs the host, which cannot run it"
                                                 : NoKernel(node, *devices_));
}

// Devices are assigned by the calling program, not by the model, so mistakes are internal errors.
absl::StatusOr<DeviceName> Constraints::ParseAssigned(const Node& node) const {
  const std::string& text = node.assigned_device();
  if (text.empty()) return DeviceName();
  absl::StatusOr<DeviceName> name = ParseDeviceName(text);
  if (!name.ok()) return absl::InternalError(fmt::format("Malformed assigned device '{}'", text));
  for (const Device& device : devices_->all()) {
    if (device.name != *name) continue;
    if (device.why_unsupported(node).empty()) return name;
    return absl::InternalError(
        fmt::format("Assigned device '{}' does not have registered OpKernel support for {}", text,
                    node.op_name()));
  }
  return absl::InternalError(
      fmt::format("Assigned device '{}' does not match any device. Here are the devices available "
                  "on this machine: [{}].",
                  text, devices_->Names()));
}

std::vector<DeviceName> Constraints::Patterns(const ColocationGroup& group) const {
  const DeviceName given = Override(group.resource, group.fixed);
  DeviceName wish = group.requested;
  std::vector<DeviceName> patterns = {Override(wish, given)};
  if (!options_.soft) return patterns;
  wish.id.reset();
  patterns.push_back(Override(wish, given));
  wish.type.reset();
  patterns.push_back(Override(wish, given));
  wish = Override(wish, group.resource);
  wish.type.reset();
  wish.id.reset();
  patterns.push_back(Override(wish, group.fixed));
  return patterns;
}

// Does its work once for each group, when called for the first member that asks for a device.
absl::Status Constraints::Narrow(const Node& node) {
  ColocationGroup& group = colocation_.group(node);
  if (group.asked != &node) return absl::OkStatus();
  const std::vector<DeviceName> patterns = Patterns(group);
  for (const DeviceName& pattern : patterns) {
    std::vector<int> fitting;
    for (int device : group.devices)
      if (Fits(pattern, (*devices_)[device].name)) fitting.push_back(device);
    if (fitting.empty()) continue;
    group.devices = std::move(fitting);
    return absl::OkStatus();
  }
  return CannotSatisfy(node, patterns[0]);
}

absl::Status Constraints::CannotSatisfy(const Node& node, const DeviceName& wanted) const {
  std::set<std::string> types;
  for (const Device& device : devices_->all())
    if (Fits(wanted, device.name)) types.insert(device.name.type.value_or("*"));
  if (types.empty())
    return absl::InvalidArgumentError(fmt::format(
        "Cannot assign a device for operation {}: {{{{node {}}}}} was explicitly assigned to {} "
        "but available devices are [ {} ]. Make sure the device specification refers to a valid "
        "device.",
        node.name(), node.name(), ToString(wanted), devices_->Names()));
  if (colocation_.group(node).size > 1) return CannotColocate(node, wanted);
  return absl::InvalidArgumentError(
      fmt::format("Cannot assign a device for operation {}: Could not satisfy explicit device "
                  "specification '{}' because no supported kernel for {} devices is available.",
                  node.name(), ToString(wanted), fmt::join(types, ", ")));
}

absl::Status Constraints::CannotColocate(const Node& node, const DeviceName& wanted) const {
  const ColocationGroup* group = &colocation_.group(node);
  const Node* unfit = nullptr;                 // the first member that cannot be where the group is
  std::map<std::string, std::string> by_type;  // which devices can run which ops
  for (const Node* member : graph_->op_nodes()) {
    if (&colocation_.group(*member) != group) continue;
    std::vector<std::string> types;
    bool fits = false;
    for (const Device& device : devices_->all()) {
      if (!device.why_unsupported(*member).empty()) continue;
      fits |= Fits(wanted, device.name);
      const std::string type = device.name.type.value_or("*");
      if (std::ranges::count(types, type) == 0) types.push_back(type);
    }
    by_type.emplace(member->op_name(), fmt::format("{}", fmt::join(types, " ")));
    if (unfit == nullptr && !fits) unfit = member;
  }
  if (unfit == nullptr) unfit = &node;
  std::string supported;
  for (const auto& [op, types] : by_type) supported += fmt::format("\n{}: {}", op, types);
  return absl::InvalidArgumentError(fmt::format(
      "Cannot assign a device for operation {}: Could not satisfy explicit device specification "
      "'{}' because the node {{{{colocation_node {}}}}} was colocated with a group of nodes that "
      "required incompatible device '{}'. All available devices [{}]. Colocation group had the "
      "following types and supported devices:{}",
      unfit->name(), unfit->requested_device(), unfit->name(), ToString(wanted), devices_->Names(),
      supported));
}

std::string Constraints::Reason(const Node& node, int device) const {
  const ColocationGroup& group = colocation_.group(node);
  const DeviceName wish = Wish(node);
  if (options_.fixed.contains(node.id())) return "asked for by name";
  if (!wish.empty() && Fits(wish, (*devices_)[device].name))
    return fmt::format("asked for {}", ToString(wish));
  std::vector<std::string> reasons;
  if (!wish.empty()) reasons.push_back(fmt::format("asked for {} (not possible)", ToString(wish)));
  if (group.size > 1 && group.asked != nullptr && group.asked != &node)
    reasons.push_back(fmt::format("with '{}'", group.asked->name()));
  if (StaysOnHost(*graph_, node)) {
    reasons.push_back("runs on the host only");
  } else {
    for (const Device& other : devices_->all())
      if (const std::string why = other.why_unsupported(node); !why.empty())
        reasons.push_back(fmt::format("{}: {}", other.key, why));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace linnet::converter
