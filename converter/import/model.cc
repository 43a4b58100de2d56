// SPDX-License-Identifier: Apache-2.0
#include "converter/import/model.h"

#include <algorithm>

#include "converter/graph/algorithm.h"
#include "converter/graph/node_class.h"
#include "converter/graph/placeholder_shape.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/custom_ops.h"
#include "converter/import/graph_constructor.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

tf::TensorShapeProto UnknownShape() {
  tf::TensorShapeProto shape;
  shape.set_unknown_rank(true);
  return shape;
}

TensorRef RefTo(const Graph& graph, const Node& node, int slot) {
  return {.key = TensorName(node.name(), slot),
          .tensor = TensorName(node.name(), slot),
          .dtype = node.tf_output_types()[slot],
          .shape = node.node_class() == NodeClass::kPlaceholder
                       ? PlaceholderShape(node, graph.versions().producer())
                       : UnknownShape()};
}

// An Identity that only gives something another name: an arm of a conditional of TensorFlow 1, or a
// variable. Few graphs read all of these.
bool IsOnlyAName(const Node& node) {
  const Output named =
      node.op_name() == "Identity" && node.num_inputs() == 1 ? node.input(0) : Output();
  return named && (named.node->IsAnyOf({"Switch", "RefSwitch"}) ||
                   named.node->node_class() == NodeClass::kVariable);
}

bool IsString(const Node& node) {
  const auto types = node.tf_output_types();
  return !types.empty() && BaseType(types[0]) == tf::DT_STRING;
}

// A node without consumers, other than constants, placeholders and variables.
bool IsLeaf(const Node& node) {
  if (node.IsConstant() || node.node_class() == NodeClass::kPlaceholder ||
      node.node_class() == NodeClass::kVariable || node.op_name() == "VarHandleOp" ||
      node.num_outputs() == 0)
    return false;
  return !IsRead(node);
}

// The leaves, without names and, since no plan has them, strings (as a saver has), unless there is
// nothing else.
std::vector<const Node*> OutputNodes(const Graph& graph) {
  std::vector<const Node*> leaves, outputs;
  for (const Node* node : graph.op_nodes())
    if (IsLeaf(*node)) leaves.push_back(node);
  std::ranges::copy_if(leaves, std::back_inserter(outputs),
                       [](const Node* node) { return !IsOnlyAName(*node) && !IsString(*node); });
  return outputs.empty() ? leaves : outputs;
}

SignatureInfo DefaultSignature(const Graph& graph) {
  SignatureInfo signature{.key = "default"};
  for (const Node* node : graph.op_nodes())
    if (node->IsAnyOf({"Placeholder", "PlaceholderV2"}))
      signature.inputs.push_back(RefTo(graph, *node, 0));
  for (const Node* node : OutputNodes(graph))
    for (int slot = 0; slot < node->num_outputs(); ++slot)
      signature.outputs.push_back(RefTo(graph, *node, slot));
  return signature;
}

// The converter trusts the attributes of arguments and results, since it makes these nodes itself.
// A model must not have them.
absl::Status CheckNoEnds(const RawGraph& raw) {
  Problems problems;
  const auto check = [&](const tf::NodeDef& def) {
    const NodeClass c = NodeClassOf(def.op());
    if (c == NodeClass::kArg || c == NodeClass::kRetval)
      problems.Add({def.name(), def.op(), "is an op that only TensorFlow itself makes"});
  };
  for (const RawNode& node : raw.nodes) check(node.def);
  for (const tf::FunctionDef& function : raw.library.function())
    for (const tf::NodeDef& def : function.node_def()) check(def);
  return problems.ToStatus();
}

}  // namespace

absl::StatusOr<ImportedModel> BuildModel(RawGraph raw, std::string format,
                                         const ImportOptions& options,
                                         const tf::OpList* model_ops) {
  ImportedModel model;
  model.format = std::move(format);
  const OpRegistry* registry =
      options.registry == nullptr ? OpRegistry::Global() : options.registry;
  model.custom_ops = DefineCustomOps(registry, model_ops, &raw);
  model.graph =
      std::make_unique<Graph>(model.custom_ops == nullptr ? registry : model.custom_ops.get());
  if (!options.allow_internal_ops)
    if (absl::Status s = CheckNoEnds(raw); !s.ok()) return s;
  int64_t constant_room = options.max_expanded_bytes;
  const bool is_tfjs = model.format == "tfjs";
  const ConstructorOptions constructor = {
      .allow_internal_ops = options.allow_internal_ops || is_tfjs,  // tfjs has no such rule
      .validate_colocation = options.validate_colocation,
      // Neither tfjs nor TensorFlow's loader of SavedModels reads the attribute.
      .check_output_shapes = !is_tfjs && model.format != "saved_model",
      .constant_room = &constant_room};
  const auto nodes = ConstructGraph(std::move(raw), constructor, model.graph.get(), &model.notes);
  if (!nodes.ok()) return nodes.status();
  model.signatures = {DefaultSignature(*model.graph)};
  return model;
}

SignatureInfo SignatureFromProto(const std::string& key, const tf::SignatureDef& proto) {
  const auto refs = [](const auto& map) {
    std::vector<TensorRef> sorted;
    for (const auto& [name, info] : map) {
      const auto [node, slot] = ParseTensorName(info.name());
      sorted.push_back({.key = name,
                        .tensor = TensorName(node, slot),
                        .dtype = info.dtype(),
                        .shape = info.has_tensor_shape() ? info.tensor_shape() : UnknownShape()});
    }
    std::ranges::sort(sorted, {}, &TensorRef::key);
    return sorted;
  };
  return {.key = key, .inputs = refs(proto.inputs()), .outputs = refs(proto.outputs())};
}

absl::Status SetSignatures(std::vector<SignatureInfo> signatures, ImportedModel* model) {
  Problems problems;
  for (const SignatureInfo& signature : signatures)
    for (const auto* refs : {&signature.inputs, &signature.outputs})
      for (const TensorRef& ref : *refs) {
        const auto [name, slot] = ParseTensorName(ref.tensor);
        const Node* node = model->graph->FindNode(name);
        if (node == nullptr || slot < 0 || slot >= node->num_outputs())
          problems.Add({.reason = fmt::format("signature '{}': '{}' names the tensor '{}', which "
                                              "the graph does not have",
                                              signature.key, ref.key, ref.tensor)});
      }
  if (!problems.empty()) return problems.ToStatus();
  model->signatures = std::move(signatures);
  model->has_signatures = true;
  return absl::OkStatus();
}

}  // namespace linnet::converter
