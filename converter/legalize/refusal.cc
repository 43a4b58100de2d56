// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/refusal.h"

#include <vector>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/legalize/legality_checks.h"
#include "converter/legalize/tf_op_groups.h"
#include "fmt/format.h"
#include "runtime/core/nearest_names.h"

namespace linnet::converter {
namespace {

// Where the model can only begin behind the node: how to feed what it computes. Empty where nothing
// of it could be fed.
std::string FeedInstead(const Node& node) {
  const auto types = node.tf_output_types();
  for (const Edge* edge : node.out_edges()) {
    if (edge->IsControlEdge() || ToDType(types[edge->src_output]) == DType::kInvalid) continue;
    return fmt::format("--input {}=DIMxDIMx.. begins the model behind it",
                       TensorName(node.name(), edge->src_output));
  }
  return "";
}

}  // namespace

std::string UnknownTfOp(std::string_view op, bool names_like_it) {
  std::string text = "it is not one of TensorFlow's ops";
  if (!names_like_it) return text;
  const auto nearest = NearestNames(op, TensorFlowOpNames());
  if (!nearest.empty()) text += fmt::format("; there is {}", ListOfNames(nearest));
  return text;
}

Problem RefusalOf(const Node& node, bool names_like_it) {
  const TfOpGroup* group = FindTfOpGroup(node.op_name());
  std::string way_out(group == nullptr ? "compute it in the app" : group->way_out);
  std::string cut = CutBefore(node);
  if (cut.empty()) cut = FeedInstead(node);
  if (!cut.empty()) way_out += "; " + cut;
  return {
      node.name(), node.op_name(),
      group == nullptr ? UnknownTfOp(node.op_name(), names_like_it) : std::string(group->reason),
      std::move(way_out), absl::StatusCode::kUnimplemented};
}

}  // namespace linnet::converter
