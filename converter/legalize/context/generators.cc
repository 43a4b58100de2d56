// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/generators.h"

#include "converter/graph/session_state.h"
#include "converter/legalize/context/building_blocks.h"

namespace linnet::converter {

const std::string& Generators::Origin(const Node& node) const {
  const auto it = origins_.find(node.id());
  return it == origins_.end() ? node.name() : it->second;
}

absl::StatusOr<Output> Generators::Take(Graph& graph, LegalizeContext& context, Output blocks) {
  const std::string& origin = Origin(context.node());
  Node*& count = counts_[origin];
  if (count == nullptr) {
    const std::string name = origin + "/generator";
    Node* state = AddState(&graph, name, {DType::kInt64, {1}}, StateStart::kZeros);
    count = AddNextState(&graph, name, {state, 0});
  }
  const Output before = count->input(0);
  LINNET_ASSIGN_OR_RETURN(const Output after,
                          EmitBinary(context, BinaryKind::Add, before, blocks, "blocks_used"));
  graph.SetInput(count, 0, after);
  return before;
}

}  // namespace linnet::converter
