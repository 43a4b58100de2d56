// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/placer.h"

namespace linnet::converter {

// Steps that run on one device, one after another. Constants, inputs and outputs of the graph are
// no steps.
struct Segment {
  int device = -1;
  std::vector<const Node*> nodes;
};

// A value that is needed in another memory than the one in which it was computed.
struct Copy {
  const Node* node = nullptr;
  int output = 0;
  int from = -1, to = -1;  // the devices that own the memories
  int64_t bytes = 0;
  int before = 0;  // the segment that first needs it; the number of segments for results
};

struct Partition {
  std::vector<Segment> segments;  // in order of execution; neighbours are on different devices
  std::vector<Copy> copies;       // by `before`; one for each value and memory
};

// Cuts a placed graph into few segments: as long as a step of the same device is ready, it comes
// next (the smallest id first). Data edges between memories become copies; constants need none,
// because each device prepares its own; control edges only order. InvalidArgument "Incomplete
// graph, missing 1 inputs for x", or for a cycle.
absl::StatusOr<Partition> MakePartition(const Graph& graph, const DeviceSet& devices,
                                        const Placement& placement);

}  // namespace linnet::converter
