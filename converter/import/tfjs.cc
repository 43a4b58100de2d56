// SPDX-License-Identifier: Apache-2.0
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

// Positions of the keys of signature.inputs and signature.outputs (also under userDefinedMetadata):
// protobuf's maps forget the order of the file, which is the order users see.
class SignatureOrder : public nlohmann::json_sax<nlohmann::json> {
 public:
  int PositionOf(const std::string& key) const {
    const auto it = positions_.find(key);
    return it == positions_.end() ? INT_MAX : it->second;
  }

  bool key(string_t& name) override {
    path_.back() = name;
    const size_t depth = path_.size();
    if (depth >= 3 && path_[depth - 3] == "signature")
      positions_.try_emplace(fmt::format("{}/{}", path_[depth - 2], name),
                             static_cast<int>(positions_.size()));
    return true;
  }
  bool start_object(size_t) override { return path_.emplace_back(), true; }
  bool end_object() override { return path_.pop_back(), true; }
  bool start_array(size_t) override { return path_.emplace_back(), true; }
  bool end_array() override { return path_.pop_back(), true; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::vector<std::string> path_;
  std::map<std::string, int> positions_;
};

absl::StatusOr<tf::TfjsModel> ParseJson(std::string_view text) {
  const google::protobuf::LogSilencer quiet;  // what it would print is in our error
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  tf::TfjsModel model;
  const auto s =
      google::protobuf::util::JsonStringToMessage({text.data(), text.size()}, &model, options);
  if (!s.ok()) {
    // A sentence, and below it a picture of the place, which takes lines of its own.
    const std::string_view message(s.message().data(), s.message().size());
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

// Consts have a type but no value; the weight of the same name has it.
void GiveValue(const TfjsWeights& weights, RawNode* node, Problems* problems) {
  tf::NodeDef& def = node->def;
  if (def.op() != "Const") return;
  const auto weight = weights.find(def.name());
  const auto attr = def.attr().find("value");
  if (weight == weights.end()) {
    const tf::TensorProto empty;
    const tf::TensorProto& inlined = attr == def.attr().end() ? empty : attr->second.tensor();
    tf::TensorProto type_only;
    type_only.set_dtype(inlined.dtype());
    if (inlined.has_tensor_shape()) *type_only.mutable_tensor_shape() = inlined.tensor_shape();
    if (inlined.ByteSizeLong() > type_only.ByteSizeLong()) return;  // written inside after all
    if (StaticShape(inlined.tensor_shape()).value_or(Shape{1}).num_elements() == 0) return;
    return problems->Add({def.name(), def.op(),
                          "there is no weight of this name in weightsManifest", "",
                          absl::StatusCode::kFailedPrecondition});
  }
  const auto dtype = def.attr().find("dtype");
  const DType wanted = dtype == def.attr().end() ? DType::kInvalid : ToDType(dtype->second.type());
  node->constant = RestoreDType(weight->second.value, wanted);
  if (attr == def.attr().end()) (*def.mutable_attr())["value"].mutable_tensor();
}

// Constants in function bodies: their weight is called <function>/<const>.
void GiveFunctionValues(const TfjsWeights& weights, tf::FunctionDefLibrary* library) {
  for (tf::FunctionDef& function : *library->mutable_function()) {
    for (tf::NodeDef& def : *function.mutable_node_def()) {
      if (def.op() != "Const") continue;
      const auto weight =
          weights.find(fmt::format("{}/{}", function.signature().name(), def.name()));
      if (weight == weights.end() || weight->second.value.type.dtype == DType::kInvalid) continue;
      const auto dtype = def.attr().find("dtype");
      const DType wanted =
          dtype == def.attr().end() ? DType::kInvalid : ToDType(dtype->second.type());
      *(*def.mutable_attr())["value"].mutable_tensor() =
          ToTensorProto(RestoreDType(weight->second.value, wanted));
    }
  }
}

void SortAsInFile(std::string_view json, SignatureInfo* signature) {
  SignatureOrder order;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &order)) return;
  const auto sort = [&order](std::string_view side, std::vector<TensorRef>* refs) {
    std::stable_sort(refs->begin(), refs->end(), [&](const TensorRef& a, const TensorRef& b) {
      return order.PositionOf(fmt::format("{}/{}", side, a.key)) <
             order.PositionOf(fmt::format("{}/{}", side, b.key));
    });
  };
  sort("inputs", &signature->inputs);
  sort("outputs", &signature->outputs);
}

}  // namespace

absl::StatusOr<ImportedModel> ImportTfjs(std::string_view model_json, const WeightsLoader& load,
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
