// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <climits>
#include <map>

#include "converter/graph/graph_def.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/model.h"
#include "converter/import/tfjs_weights.h"
#include "fmt/format.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/util/json_util.h"
#include "nlohmann/json.hpp"

namespace linnet::converter {
namespace {

// Positions in the file of the keys of signature.inputs and signature.outputs (also those under
// userDefinedMetadata), as "inputs/x". Users see inputs and outputs in the order of the file, which
// protobuf's maps lose. Empty when nlohmann's parser, which is stricter, refuses the file.
std::map<std::string, int> SignaturePositions(std::string_view text) {
  using nlohmann::json;
  std::map<std::string, int> positions;
  std::vector<std::string> path;  // the current key at each depth, "" in arrays
  const auto look_at_key = [&](int depth, json::parse_event_t event, const json& key) {
    path.resize(static_cast<size_t>(depth));
    if (event != json::parse_event_t::key) return depth == 0;  // false: the parser drops the value
    path.back() = key.get<std::string>();
    if (depth >= 3 && path[path.size() - 3] == "signature")
      positions.try_emplace(fmt::format("{}/{}", path[path.size() - 2], path.back()),
                            static_cast<int>(positions.size()));
    return false;
  };
  const json parsed = json::parse(text, look_at_key, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) positions.clear();
  return positions;
}

absl::StatusOr<tf::TfjsModel> ParseJson(std::string_view text) {
  const google::protobuf::LogSilencer quiet;  // the error below replaces what it would print
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  tf::TfjsModel model;
  const auto s =
      google::protobuf::util::JsonStringToMessage({text.data(), text.size()}, &model, options);
  if (!s.ok()) {
    // The first line is a sentence. The lines below it show the place in the text.
    const std::string message(s.message());
    return absl::InvalidArgumentError(
        fmt::format("not a tfjs graph model: {}", message.substr(0, message.find('\n'))));
  }
  if (model.format() == "layers-model")
    return absl::UnimplementedError(
        "a tfjs layers model: layers models cannot be read; convert it with tensorflowjs_converter "
        "--output_format=tfjs_graph_model first");
  if (!model.has_model_topology())
    return absl::InvalidArgumentError("not a tfjs graph model: there is no modelTopology");
  return model;
}

// `weight` with the element type that attribute dtype of its Const names.
Constant ValueOf(const tf::NodeDef& def, const Constant& weight) {
  const auto dtype = def.attr().find("dtype");
  return dtype == def.attr().end() ? weight : RestoreDType(weight, ToDType(dtype->second.type()));
}

// The value of a Const is the weight of the same name.
void GiveValue(const TfjsWeights& weights, RawNode* node, Problems* problems) {
  tf::NodeDef& def = node->def;
  if (def.op() != "Const") return;
  const auto weight = weights.find(def.name());
  const auto attr = def.attr().find("value");
  if (weight == weights.end()) {
    const tf::TensorProto& inlined =
        attr == def.attr().end() ? tf::TensorProto::default_instance() : attr->second.tensor();
    tf::TensorProto type_only;
    type_only.set_dtype(inlined.dtype());
    if (inlined.has_tensor_shape()) *type_only.mutable_tensor_shape() = inlined.tensor_shape();
    if (inlined.ByteSizeLong() > type_only.ByteSizeLong()) return;  // it has its value inside
    if (StaticShape(inlined.tensor_shape()).value_or(Shape{1}).num_elements() == 0) return;
    return problems->Add({def.name(), def.op(),
                          "there is no weight of this name in weightsManifest", "",
                          absl::StatusCode::kFailedPrecondition});
  }
  node->constant = ValueOf(def, weight->second);
  if (attr == def.attr().end()) (*def.mutable_attr())["value"].mutable_tensor();
}

// The weights of constants in function bodies are called <function>/<const>.
void GiveFunctionValues(const TfjsWeights& weights, tf::FunctionDefLibrary* library) {
  for (tf::FunctionDef& function : *library->mutable_function()) {
    for (tf::NodeDef& def : *function.mutable_node_def()) {
      if (def.op() != "Const") continue;
      const auto weight =
          weights.find(fmt::format("{}/{}", function.signature().name(), def.name()));
      if (weight != weights.end() && weight->second.type.dtype != DType::kInvalid)
        *(*def.mutable_attr())["value"].mutable_tensor() =
            ToTensorProto(ValueOf(def, weight->second));
    }
  }
}

void SortAsInFile(std::string_view json, SignatureInfo* signature) {
  const std::map<std::string, int> positions = SignaturePositions(json);
  const auto sort = [&](std::string_view side, std::vector<TensorRef>* refs) {
    std::ranges::stable_sort(*refs, {}, [&](const TensorRef& ref) {
      const auto it = positions.find(fmt::format("{}/{}", side, ref.key));
      return it == positions.end() ? INT_MAX : it->second;
    });
  };
  sort("inputs", &signature->inputs);
  sort("outputs", &signature->outputs);
}

}  // namespace

absl::StatusOr<ImportedModel> ImportTfjs(std::string_view model_json, const FileLoader& load,
                                         const ImportOptions& options) {
  absl::StatusOr<tf::TfjsModel> model = ParseJson(model_json);
  if (!model.ok()) return model.status();
  Problems problems;
  const TfjsWeights weights = ReadTfjsWeights(*model, load, &problems);
  RawGraph raw = RawGraphFromProto(std::move(*model->mutable_model_topology()));
  if (problems.empty())
    for (RawNode& node : raw.nodes) GiveValue(weights, &node, &problems);
  if (!problems.empty()) return problems.ToStatus();
  GiveFunctionValues(weights, &raw.library);
  absl::StatusOr<ImportedModel> imported = BuildModel(std::move(raw), "tfjs", options);
  if (!imported.ok()) return imported;
  const tf::SignatureDef& proto =
      model->has_signature() ? model->signature() : model->user_defined_metadata().signature();
  if (proto.outputs().empty()) return imported;
  SignatureInfo signature = SignatureFromProto("serving_default", proto);
  SortAsInFile(model_json, &signature);
  if (absl::Status s = SetSignatures({std::move(signature)}, &*imported); !s.ok()) return s;
  return imported;
}

}  // namespace linnet::converter
