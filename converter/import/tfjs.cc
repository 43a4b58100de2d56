// SPDX-License-Identifier: Apache-2.0
#include "converter/import/tfjs.h"

#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "converter/graph/problems.h"
#include "converter/import/tfjs_weights.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

using Json = nlohmann::ordered_json;  // a signature has an order

// Exceptions of the JSON library end here.
Json ParseJson(std::string_view text) {
  return Json::parse(text.begin(), text.end(), /*cb=*/nullptr, /*allow_exceptions=*/false);
}

const Json* Find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

absl::Status ParseTopology(const Json& topology, tf::GraphDef* graph) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const std::string text = topology.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto status = google::protobuf::util::JsonStringToMessage(text, graph, options);
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("modelTopology is not a GraphDef: {}", status.ToString()));
}

// proto3-JSON writes int64 as strings; tfjs tools write both.
std::optional<int64_t> ParseDim(const Json& dim) {
  const Json* size = Find(dim, "size");
  if (size == nullptr) return 0;
  if (size->is_number_integer()) return size->get<int64_t>();
  if (!size->is_string()) return std::nullopt;
  const std::string& text = size->get_ref<const std::string&>();
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  return end == text.c_str() || *end != '\0' ? std::nullopt : std::optional<int64_t>(value);
}

tf::TensorShapeProto ParseShape(const Json* shape) {
  tf::TensorShapeProto proto;
  const Json* unknown = shape == nullptr ? nullptr : Find(*shape, "unknownRank");
  if (shape == nullptr || (unknown != nullptr && *unknown == true)) {
    proto.set_unknown_rank(true);
    return proto;
  }
  const Json* list = Find(*shape, "dim");
  if (list == nullptr || !list->is_array()) return proto;
  for (const Json& dim : *list) proto.add_dim()->set_size(ParseDim(dim).value_or(-1));
  return proto;
}

std::vector<TensorRef> ParseTensors(const Json* tensors) {
  std::vector<TensorRef> parsed;
  if (tensors == nullptr || !tensors->is_object()) return parsed;
  for (const auto& [key, info] : tensors->items()) {
    TensorRef tensor{.key = key, .tensor = key};
    const Json* name = Find(info, "name");
    if (name != nullptr && name->is_string()) tensor.tensor = name->get<std::string>();
    const Json* dtype = Find(info, "dtype");
    if (dtype != nullptr && dtype->is_string())
      tf::DataType_Parse(dtype->get<std::string>(), &tensor.dtype);
    tensor.shape = ParseShape(Find(info, "tensorShape"));
    parsed.push_back(std::move(tensor));
  }
  return parsed;
}

// The signature stands at the top, or in older files under userDefinedMetadata.
void ParseSignature(const Json& model, std::vector<SignatureInfo>* signatures) {
  const Json* signature = Find(model, "signature");
  if (signature == nullptr) {
    const Json* metadata = Find(model, "userDefinedMetadata");
    if (metadata != nullptr) signature = Find(*metadata, "signature");
  }
  if (signature == nullptr) return;
  SignatureInfo info{.key = "serving_default",
                     .inputs = ParseTensors(Find(*signature, "inputs")),
                     .outputs = ParseTensors(Find(*signature, "outputs"))};
  if (!info.outputs.empty()) signatures->push_back(std::move(info));
}

std::optional<TfjsQuantization> ParseQuantization(const Json& json, Problems* problems,
                                                  const std::string& weight) {
  TfjsQuantization q;
  const Json* dtype = Find(json, "dtype");
  if (dtype != nullptr && dtype->is_string()) q.dtype = dtype->get<std::string>();
  const Json* scale = Find(json, "scale");
  const Json* minimum = Find(json, "min");
  if (q.dtype != "float16" &&
      (scale == nullptr || minimum == nullptr || !scale->is_number() || !minimum->is_number())) {
    problems->Add({.node = weight, .reason = "quantization without scale and min"});
    return std::nullopt;
  }
  if (scale != nullptr && scale->is_number()) q.scale = scale->get<double>();
  if (minimum != nullptr && minimum->is_number()) q.min = minimum->get<double>();
  return q;
}

// One row of the manifest; nullopt (and a problem) when it makes no sense.
std::optional<TfjsWeight> ParseWeight(const Json& json, Problems* problems) {
  TfjsWeight weight;
  const Json* name = Find(json, "name");
  const Json* dtype = Find(json, "dtype");
  const Json* shape = Find(json, "shape");
  if (name != nullptr && name->is_string()) weight.name = name->get<std::string>();
  const auto bad = [&](const char* reason) {
    problems->Add({.node = weight.name, .reason = reason});
    return std::nullopt;
  };
  if (weight.name.empty()) return bad("a weight of the manifest has no name");
  if (dtype == nullptr || !dtype->is_string()) return bad("weight without dtype");
  weight.dtype = dtype->get<std::string>();
  if (shape == nullptr || !shape->is_array() || shape->size() > kMaxRank)
    return bad("weight without a shape of rank 0 to 8");
  for (const Json& dim : *shape) {
    if (!dim.is_number_integer()) return bad("a weight's shape wants whole numbers");
    weight.shape.Append(dim.get<int64_t>());
  }
  int64_t elements;
  if (!weight.shape.NumElementsChecked(&elements)) return bad("a weight's shape is out of range");
  if (const Json* quantization = Find(json, "quantization")) {
    weight.quantization = ParseQuantization(*quantization, problems, weight.name);
    if (!weight.quantization) return std::nullopt;
  }
  return weight;
}

absl::Status ParseManifest(const Json& manifest, const ShardLoader& load_shard, TfjsModel* model) {
  Problems problems;
  for (const Json& group : manifest) {
    const Json* paths = Find(group, "paths");
    const Json* weights = Find(group, "weights");
    if (paths == nullptr || weights == nullptr || !paths->is_array() || !weights->is_array()) {
      problems.Add({.reason = "a group of weightsManifest wants paths and weights"});
      continue;
    }
    ShardReader reader;
    for (const Json& path : *paths) {
      if (!path.is_string()) continue;
      absl::StatusOr<MappedFile> shard = load_shard(path.get<std::string>());
      if (!shard.ok()) return shard.status();
      reader.Add(*std::move(shard));
    }
    for (const Json& row : *weights) {
      const std::optional<TfjsWeight> weight = ParseWeight(row, &problems);
      if (!weight) return problems.ToStatus();  // where the next weight begins is unknown
      absl::StatusOr<Constant> value = ReadWeight(*weight, &reader);
      if (!value.ok()) {
        problems.Add(value.status(), weight->name);
        return problems.ToStatus();
      }
      model->weights.insert_or_assign(weight->name, *std::move(value));
    }
  }
  return problems.ToStatus();
}

}  // namespace

bool LooksLikeJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

absl::StatusOr<TfjsModel> ParseTfjs(std::string_view json, const ShardLoader& load_shard) {
  const Json document = ParseJson(json);
  if (document.is_discarded() || !document.is_object())
    return absl::InvalidArgumentError("model.json is not a JSON object");
  if (const Json* format = Find(document, "format");
      format != nullptr && *format == "layers-model")
    return absl::UnimplementedError(
        "this is a tfjs layers model; convert it to a graph model first "
        "(tensorflowjs_converter --output_format=tfjs_graph_model)");
  const Json* topology = Find(document, "modelTopology");
  if (topology == nullptr || !topology->is_object())
    return absl::InvalidArgumentError("model.json has no modelTopology");
  TfjsModel model;
  if (absl::Status status = ParseTopology(*topology, &model.topology); !status.ok()) return status;
  if (const Json* manifest = Find(document, "weightsManifest"); manifest != nullptr && manifest->is_array())
    if (absl::Status status = ParseManifest(*manifest, load_shard, &model); !status.ok())
      return status;
  ParseSignature(document, &model.signatures);
  return model;
}

}  // namespace linnet::converter
