// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Every op node, producers before consumers (along control edges too). Of the nodes whose producers
// are all there the one with the smallest id comes next, so the order is deterministic.
// NextIteration->Merge edges are ignored. Nodes on, or behind, any other cycle are left out:
// compare the size with num_op_nodes().
std::vector<Node*> TopologicalOrder(const Graph& graph);

// Does an edge, data or control, lead from `node` to another op than Sink?
bool IsRead(const Node& node);

// Adds an edge from Source to every op node without in-edges and one to Sink from every op node
// without out-edges; true when it added any. To be called after nodes or edges have changed.
bool FixupSourceAndSinkEdges(Graph* graph);

// Removes every op node from which no edges, data or control, lead to any of `roots`; with
// keep_args _Arg nodes stay. Then calls FixupSourceAndSinkEdges. True when it removed any node.
bool PruneForReverseReachability(Graph* graph, std::span<Node* const> roots, bool keep_args = true);

}  // namespace linnet::converter
