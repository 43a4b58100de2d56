// SPDX-License-Identifier: Apache-2.0
// body of While: ret(other variable) => ret(Reshape(other variable)), a copy.
// A plan copies a body's results to the variables one after the other, so a result must not be read
// from another variable, which may hold its next value by then.
#include "converter/pass/passes.h"

#include "converter/graph/algorithm.h"
#include "converter/graph/structured_node.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

int64_t IndexOf(const Node& node) { return node.FindAttr("index")->i(); }

}  // namespace

absl::StatusOr<int> CopyLoopResults(Graph& graph, const PassContext&) {
  int copies = 0;
  for (Node* loop : StructuredNodes(graph)) {
    if (loop->node_class() != NodeClass::kLinnetWhile) continue;
    Graph& body = *loop->regions()[1];
    for (Node* ret : body.op_nodes()) {
      if (ret->node_class() != NodeClass::kRetval) continue;
      const Node& value = *ret->input(0).node;
      if (value.node_class() != NodeClass::kArg || IndexOf(value) >= loop->num_outputs() ||
          IndexOf(value) == IndexOf(*ret))
        continue;
      if (absl::Status status = CopyResult(body, ret); !status.ok()) return status;
      ++copies;
    }
    FixupSourceAndSinkEdges(&body);
  }
  return copies;
}

}  // namespace linnet::converter
