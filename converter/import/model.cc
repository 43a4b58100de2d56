// SPDX-License-Identifier: Apache-2.0
#include "converter/import/model.h"

#include <algorithm>
#include <map>

#include "converter/graph/node_class.h"
#include "converter/graph/placeholder_shape.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/op_registry.h"
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
  TensorRef ref{.key = TensorName(node.name(), slot), .tensor = TensorName(node.name(), slot)};
  ref.dtype = node.tf_output_types()[slot];
  ref.shape = node.node_class() == NodeClass::kPlaceholder
                  ? PlaceholderShape(node, graph.versions().producer())
                  : UnknownShape();
  return ref;
}

bool IsInput(const Node& node) {
  return node.op_name() == "Placeholder" || node.op_name() == "PlaceholderV2";
}

// Nobody reads it, it is no input and it is there for its value, not for an effect.
bool IsOutput(const Node& node) {
  if (node.num_outputs() == 0 || node.IsConstant() || node.node_class() == NodeClass::kPlaceholder)
    return false;
  if (node.node_class() == NodeClass::kVariable || node.op_name() == "VarHandleOp") return false;
  return std::ranges::all_of(node.out_edges(), [](const Edge* e) { return e->dst->IsSink(); });
}

SignatureInfo DefaultSignature(const Graph& graph) {
  SignatureInfo signature{.key = "default"};
  for (const Node* node : graph.op_nodes()) {
    if (IsInput(*node)) signature.inputs.push_back(RefTo(graph, *node, 0));
    if (!IsOutput(*node)) continue;
    for (int slot = 0; slot < node->num_outputs(); ++slot)
      signature.outputs.push_back(RefTo(graph, *node, slot));
  }
  return signature;
}

// Arguments and results of graphs are nodes that the converter makes: it trusts their numbers.
absl::Status CheckNoEnds(const RawGraph& raw) {
  Problems problems;
  const auto check = [&](const tf::NodeDef& def) {
    const NodeClass c = NodeClassOf(def.op());
    if (c == NodeClass::kArg || c == NodeClass::kRetval)
      problems.Add({def.name(), def.op(), "is an op that only TensorFlow itself makes", ""});
  };
  for (const RawNode& node : raw.nodes) check(node.def);
  for (const tf::FunctionDef& function : raw.library.function())
    for (const tf::NodeDef& def : function.node_def()) check(def);
  return problems.ToStatus();
}

}  // namespace

absl::StatusOr<ImportedModel> BuildModel(RawGraph raw, std::string format,
                                         const ImportOptions& options) {
  ImportedModel model;
  model.format = std::move(format);
  model.graph = std::make_unique<Graph>(options.registry == nullptr ? OpRegistry::Global()
                                                                    : options.registry);
  if (!options.allow_internal_ops)
    if (absl::Status s = CheckNoEnds(raw); !s.ok()) return s;
  ConstructorOptions constructor;
  // tfjs knows no such rule for names.
  constructor.allow_internal_ops = options.allow_internal_ops || model.format == "tfjs";
  constructor.validate_colocation = options.validate_colocation;
  // tfjs reads no such attribute, nor does TensorFlow's own loader of SavedModels.
  constructor.check_output_shapes = model.format != "tfjs" && model.format != "saved_model";
  constructor.max_expanded_bytes = options.max_expanded_bytes;
  if (absl::Status s = ConstructGraph(std::move(raw), constructor, model.graph.get(), &model.notes);
      !s.ok())
    return s;
  model.signatures = {DefaultSignature(*model.graph)};
  return model;
}

SignatureInfo SignatureFromProto(const std::string& key, const tf::SignatureDef& proto) {
  const auto refs = [](const auto& map) {
    std::map<std::string, TensorRef> sorted;
    for (const auto& [name, info] : map) {
      const TensorId id = ParseTensorName(info.name());
      sorted[name] = {.key = name,
                      .tensor = TensorName(id.first, id.second),
                      .dtype = info.dtype(),
                      .shape = info.has_tensor_shape() ? info.tensor_shape() : UnknownShape()};
    }
    std::vector<TensorRef> list;
    list.reserve(sorted.size());
    for (auto& [name, ref] : sorted) list.push_back(std::move(ref));
    return list;
  };
  return {.key = key, .inputs = refs(proto.inputs()), .outputs = refs(proto.outputs())};
}

absl::Status SetSignatures(std::vector<SignatureInfo> signatures, ImportedModel* model) {
  Problems problems;
  for (const SignatureInfo& signature : signatures) {
    for (const auto* refs : {&signature.inputs, &signature.outputs}) {
      for (const TensorRef& ref : *refs) {
        const TensorId id = ParseTensorName(ref.tensor);
        const Node* node = model->graph->FindNode(id.first);
        if (node == nullptr || id.second < 0 || id.second >= node->num_outputs())
          problems.Add(
              {"", "",
               fmt::format(
                   "signature '{}': '{}' names the tensor '{}', which the graph does not have",
                   signature.key, ref.key, ref.tensor),
               ""});
      }
    }
  }
  if (!problems.empty()) return problems.ToStatus();
  model->signatures = std::move(signatures);
  model->has_signatures = true;
  return absl::OkStatus();
}

}  // namespace linnet::converter
