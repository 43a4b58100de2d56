// SPDX-License-Identifier: Apache-2.0
// body of While: ret(other variable) => ret(Reshape(other variable)).
// A plan copies a body's results to the variables one after the other, so none may be read from a
// variable that has its next value by then. All types are known.
#include "converter/pass/passes.h"

#include "converter/graph/algorithm.h"
#include "converter/graph/structured_node.h"
#include "runtime/ops/reshape.h"

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
      const Output value = ret->input(0);
      if (value.node->node_class() != NodeClass::kArg ||
          IndexOf(*value.node) >= loop->num_outputs() || IndexOf(*value.node) == IndexOf(*ret))
        continue;
      ReshapeAttrs attrs;
      attrs.shape = value.node->type().shape;
      absl::StatusOr<Node*> copy =
          body.AddOp(body.UniqueName(ret->name() + "/copy"), attrs, {value});
      if (!copy.ok()) return copy.status();
      (*copy)->AddSources(*ret);
      body.SetInput(ret, 0, {*copy, 0});
      ++copies;
    }
    FixupSourceAndSinkEdges(&body);
  }
  return copies;
}

}  // namespace linnet::converter
