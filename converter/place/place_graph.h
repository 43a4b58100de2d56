// SPDX-License-Identifier: Apache-2.0
#pragma once
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
// How a GPU keeps floats in its memory. It computes with 32 bits in both.
enum class GpuPrecision { kF32, kF16 };
// The devices that the backends of this build run on.
DeviceSet DevicesOfThisBuild(GpuPrecision precision = GpuPrecision::kF32);

// The options of `linnet convert` about placement.
struct PlaceRequest {
  struct NodeRequest {
    std::string node;    // name in the model or in the graph
    std::string device;  // key
  };
  // A key: whatever the device can run is placed there. "auto": as the model asks, else the
  // fastest.
  std::string place = "auto";
  std::vector<NodeRequest> nodes;                   // take precedence over everything else
  std::string profile;                              // file; empty: DeviceProfile::Default
  GpuPrecision gpu_precision = GpuPrecision::kF32;  // for DevicesOfThisBuild
};

// The placement of a graph, to which it has pointers. Devices are numbers of the device set.
struct PlacedGraph {
  DeviceProfile profile;
  Placement placement;
  Partition partition;
};

// Places a graph of Linnet ops and writes the devices into its nodes. A known device that is not in
// `devices` is ignored with a warning in `notes`. Errors: no such node, an unknown device or one
// that cannot run the node (all of these at once), an invalid profile, a malformed device name in
// the model.
absl::StatusOr<PlacedGraph> PlaceGraph(const PlaceRequest& request, const DeviceSet& devices,
                                       Graph* graph, std::vector<std::string>* notes);

// Does the plan get a program for devices beside the host's? Where a step is on one, and where
// devices are asked for by name.
bool WantsDeviceProgram(const PlaceRequest& request, const DeviceSet& devices,
                        const PlacedGraph& placed);

}  // namespace linnet::converter
