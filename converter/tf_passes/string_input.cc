// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/string_input.h"

#include <algorithm>
#include <set>
#include <vector>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/partial_shape.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

// How the node's first output is fed, if the node makes only numbers. One that makes strings too,
// such as words and where they are in the text, is no place to cut.
std::string FeedOf(const Graph& graph, const Node& node) {
  const auto types = node.tf_output_types();
  const auto is_number = [](tf::DataType type) {
    return ToDType(BaseType(type)) != DType::kInvalid;
  };
  if (types.empty() || !std::ranges::all_of(types, is_number)) return "";
  return fmt::format("--input {}={}", node.name(), ShapeArgument(DeclaredShape(graph, node, 0)));
}

bool IsString(const Edge& edge) {
  return BaseType(edge.src->tf_output_types()[static_cast<size_t>(edge.src_output)]) ==
         tf::DT_STRING;
}

}  // namespace

std::string InsteadOfStrings(const Graph& graph, Output strings) {
  constexpr size_t kMostFeeds = 4;  // a chain of lookups needs few; more would hide the point
  std::vector<const Node*> open = {strings.node};
  std::set<const Node*> seen;
  std::vector<std::string> feeds;
  bool are_ids = true;
  for (size_t i = 0; i < open.size(); ++i) {
    for (const Edge* edge : open[i]->out_edges()) {
      const Node* user = edge->dst;
      if (edge->IsControlEdge() || !user->IsOp() || !IsString(*edge) || !seen.insert(user).second)
        continue;
      std::string feed = FeedOf(graph, *user);
      if (feed.empty()) {
        open.push_back(user);
      } else {
        feeds.push_back(std::move(feed));
        are_ids = are_ids && user->op_name().starts_with("LookupTableFind");
      }
    }
  }
  if (feeds.empty() || feeds.size() > kMostFeeds) return "";
  return fmt::format("{} in the app and feed {}: {}",
                     are_ids ? "look the ids up" : "compute what follows from it",
                     feeds.size() == 1 && !are_ids ? "that" : "them", fmt::join(feeds, " "));
}

}  // namespace linnet::converter
