// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/explain.h"
#include "converter/place/partition.h"
#include "converter/place/placer.h"

namespace linnet::converter {

// Keys of all devices that command lines may name: "cpu", "vulkan". A build need not have them all.
std::span<const std::string> KnownDevices();
// What the backends of this build run on.
DeviceSet DevicesOfThisBuild();

// What `linnet convert` is told about placement.
struct PlaceRequest {
  struct NodeRequest {
    std::string node;    // of the model, or of the graph
    std::string device;  // key
  };
  std::string place = "auto";      // a key: there what can; auto: as the model asks, else fastest
  std::vector<NodeRequest> nodes;  // before everything else
  std::string profile;             // file; empty: DeviceProfile::Default
};

// A placed graph. Refers to the graph, and to the devices that it was placed on.
struct PlacedGraph {
  DeviceProfile profile;
  Placement placement;
  Partition partition;
};

// Places a graph in the Linnet vocabulary and assigns its nodes' devices. A known device that
// `devices` lacks is ignored with a warning. Every problem at once: a node that is not there, a
// device that nobody knows or that cannot run the node, a broken profile, a malformed device name
// in the model.
absl::StatusOr<PlacedGraph> PlaceGraph(const PlaceRequest& request, const DeviceSet& devices,
                                       Graph* graph, std::vector<std::string>* notes);

}  // namespace linnet::converter
