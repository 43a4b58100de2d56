// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/import/raw_graph.h"

// In which order the nodes of a file go into the graph: the file may have them in any.
namespace linnet::converter {

// What a node reads: another one of the file, or one that was in the graph before.
struct NodeInput {
  int node = -1;             // index in RawGraph::nodes; -1: it is `existing`
  int slot = 0;              // kControlSlot: no value, it only comes before
  Node* existing = nullptr;  // when it was in the graph before
};

// Where a loop's back edge may end.
bool IsMerge(const tf::NodeDef& def);

// Indices of `nodes`, each behind those that it reads, the earliest in the file first, so that ids
// follow the file where they can. A loop's Merge waits for its controls and any one data input,
// never for the NextIteration that reads it. Nodes of other cycles, and what follows from them, are
// not there. `inputs` has as many elements as `nodes`.
std::vector<int> ConstructionOrder(std::span<const RawNode> nodes,
                                   std::span<const std::vector<NodeInput>> inputs);

// InvalidArgument that names the nodes which `order` lacks, the first few of them.
absl::Status CycleError(std::span<const RawNode> nodes, std::span<const int> order);

}  // namespace linnet::converter
