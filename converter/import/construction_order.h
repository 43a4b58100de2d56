// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/import/raw_graph.h"

// The order in which the nodes of a file are added to the graph. The file may list them in any.
namespace linnet::converter {

// An input of a node: an output of another node of the file, or of one that the graph had before.
struct NodeInput {
  int node = -1;             // index in RawGraph::nodes; -1: see `existing`
  int slot = 0;              // kControlSlot: a control input
  Node* existing = nullptr;  // not null: a node that the graph had before
};

// The only op at which the back edge of a loop may end.
bool IsMerge(const tf::NodeDef& def);

// Indices of `nodes` in topological order. Among nodes that are ready the first of the file comes
// first, so that ids follow the file where possible. A loop's Merge waits for its control inputs
// and for one data input, but not for its NextIteration. Nodes of other cycles, and nodes that
// depend on them, are left out. `inputs` has one element for each of `nodes`.
std::vector<int> ConstructionOrder(std::span<const RawNode> nodes,
                                   std::span<const std::vector<NodeInput>> inputs);

// InvalidArgument that names the first few nodes which `order` lacks.
absl::Status CycleError(std::span<const RawNode> nodes, std::span<const int> order);

}  // namespace linnet::converter
