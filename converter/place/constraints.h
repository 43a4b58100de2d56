// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/colocation.h"
#include "converter/place/device.h"

namespace linnet::converter {

struct ConstraintOptions {
  // Soft placement: where a node cannot have the device that it asks for, it gets one of the same
  // type, else any. A node that creates a resource keeps its device as long as that can run all
  // that must be there. Without it, a device that a node cannot have is an error.
  bool soft = true;
  // Asked for in place of the devices that the nodes ask for.
  std::optional<DeviceName> wish;
  // By node id, in place of the device that the node asks for. Never ignored, whatever `soft` says.
  std::map<int, DeviceName> fixed;
  // Ignore job, replica and task of what nodes ask for: they name machines of a cluster.
  bool ignore_machines = false;
};

// Which devices each node may be placed on.
class Constraints {
 public:
  // From requested and assigned devices, kernel support, types that stay on the host, and
  // colocation. Every problem at once, in TensorFlow's words. FailedPrecondition "No devices are
  // registered". `graph` and `devices` must outlive the result. A copy is cheap enough to make one
  // for each placement that is tried.
  static absl::StatusOr<Constraints> Of(const Graph& graph, const DeviceSet& devices,
                                        ConstraintOptions options);

  // The devices that `node` may run on, preferred first, never empty. The same for all of a group.
  std::span<const int> Candidates(const Node& node) const {
    return colocation_.group(node).devices;
  }
  // The group of `node` runs on `device`, one of its candidates.
  void Choose(const Node& node, int device) { colocation_.group(node).devices = {device}; }

  // Which constraints decided that `node` runs on `device`, in a few words for the user: "asked for
  // ...", "with 'x'", "vulkan: f32 only"; "" when none did.
  std::string Reason(const Node& node, int device) const;
  // The device that the node asks for; empty when it asks for none or its device is fixed.
  DeviceName Wish(const Node& node) const;

 private:
  Constraints(const Graph& graph, const DeviceSet& devices, ConstraintOptions options)
      : graph_(&graph),
        devices_(&devices),
        options_(std::move(options)),
        colocation_(graph.num_node_ids(), options_.soft) {}

  absl::Status AddNode(const Node& node);
  absl::Status Narrow(const Node& node);
  // Patterns for the device of a group, from all that it asks for to the least that it must have.
  std::vector<DeviceName> Patterns(const ColocationGroup& group) const;
  absl::Status CannotSatisfy(const Node& node, const DeviceName& wanted) const;
  absl::Status CannotColocate(const Node& node, const DeviceName& wanted) const;
  absl::StatusOr<DeviceName> ParseWish(const Node& node) const;
  absl::StatusOr<DeviceName> ParseAssigned(const Node& node) const;

  const Graph* graph_;
  const DeviceSet* devices_;
  ConstraintOptions options_;
  Colocation colocation_;
};

}  // namespace linnet::converter
