// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Every op node, producers before consumers (control edges count); among nodes that are ready the
// smallest id comes first, so the order is stable. NextIteration->Merge edges are ignored.
// Nodes on any other cycle are left out: compare the size with num_op_nodes().
std::vector<Node*> TopologicalOrder(const Graph& graph);

// Does an edge, data or control, lead from `node` to another op than Sink?
bool IsRead(const Node& node);

// Source->n for op nodes without in-edges, n->Sink for those without out-edges; true when it
// changed anything. Run after every structural pass.
bool FixupSourceAndSinkEdges(Graph* graph);

// Removes every op node from which none of `roots` can be reached backwards (data and control).
// _Arg nodes stay when keep_args. True when nodes went away. Fixes Source and Sink edges.
bool PruneForReverseReachability(Graph* graph, std::span<Node* const> roots, bool keep_args = true);

}  // namespace linnet::converter
