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
  // A device that a node asks for is a wish: where it cannot be had, one of the same type is taken,
  // else any; what makes a resource keeps its own as long as there is one that can run all that
  // must be there. Otherwise it is an error.
  bool soft = true;
  // Instead of what nodes ask for.
  std::optional<DeviceName> wish;
  // By node id: no wish, whatever `soft` says, and instead of what the node itself asks for.
  std::map<int, DeviceName> fixed;
  // A model names machines of a cluster; here there is one.
  bool ignore_machines = false;
};

// Which devices each node may be placed on.
class Constraints {
 public:
  // From requested and assigned devices, kernel support, types that stay on the host, and
  // colocation. Every problem at once, in TensorFlow's words. FailedPrecondition "No devices are
  // registered". `graph` and `devices` must outlive the result, which copies cheaply enough to try
  // a placement.
  static absl::StatusOr<Constraints> Of(const Graph& graph, const DeviceSet& devices,
                                        ConstraintOptions options);

  // Never empty; preferred first. The same for every node of a group.
  std::span<const int> Candidates(const Node& node) const {
    return colocation_.group(node).devices;
  }
  // The group of `node` runs on `device`, one of its candidates.
  void Choose(const Node& node, int device) { colocation_.group(node).devices = {device}; }

  // What decided that `node` runs on `device`, as a few words for people: "asked for ...", "with
  // 'x'", "vulkan: f32 only"; "" when no constraint did.
  std::string Reason(const Node& node, int device) const;
  // What the node itself asks for; empty when that is nothing, or fixed otherwise.
  DeviceName Wish(const Node& node) const;

 private:
  Constraints(const Graph& graph, const DeviceSet& devices, ConstraintOptions options)
      : graph_(&graph),
        devices_(&devices),
        options_(std::move(options)),
        colocation_(graph.num_node_ids(), options_.soft) {}

  absl::Status AddNode(const Node& node);
  absl::Status Narrow(const Node& node);
  // What the device of a group must have, the most that is asked for first.
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
