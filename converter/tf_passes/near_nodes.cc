// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/near_nodes.h"

#include <vector>

#include "fmt/format.h"
#include "runtime/core/nearest_names.h"

namespace linnet::converter {

std::string NearNodes(const Graph& graph, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Node* node : graph.op_nodes())
    if (node->num_outputs() > 0) names.push_back(node->name());
  const std::vector<std::string_view> nearest = NearestNames(name, names);
  return nearest.empty() ? "" : fmt::format("there is {}", ListOfNames(nearest));
}

}  // namespace linnet::converter
