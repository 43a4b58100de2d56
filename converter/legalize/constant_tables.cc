// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/constant_tables.h"

#include "converter/functions/function_bodies.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/legalize/tf_op_groups.h"
#include "converter/resources/tables.h"
#include "fmt/format.h"

namespace linnet::converter {

void CheckTablesAreConstant(const Graph& graph, Problems* problems) {
  const auto check = [problems](const std::string& node, const std::string& op) {
    if (!WritesTable(op)) return;
    const TfOpGroup& group = *FindTfOpGroup(op);
    problems->Add({node, op, std::string(group.reason), std::string(group.way_out),
                   absl::StatusCode::kUnimplemented});
  };
  const std::vector<Node*> nodes = graph.op_nodes();
  for (const Node* node : nodes) check(node->name(), node->op_name());
  for (const std::string& function : FunctionsReached(graph.functions(), nodes))
    for (const tf::NodeDef& node : graph.functions().Find(function)->node_def())
      check(fmt::format("{}/{}", function, node.name()), node.op());
}

}  // namespace linnet::converter
