// SPDX-License-Identifier: Apache-2.0
#include "converter/import/saved_model.h"

#include <algorithm>
#include <set>

#include "converter/graph/problems.h"
#include "converter/import/foreign_format.h"
#include "converter/import/graph_constructor.h"
#include "converter/import/model.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

std::set<std::string> TagsOf(const RawMetaGraph& graph) {
  const auto& tags = graph.meta.meta_info_def().tags();
  return {tags.begin(), tags.end()};
}

std::string TagsText(const std::set<std::string>& tags) {
  return fmt::format("{{ {} }}", fmt::join(tags, " "));
}

// The index of the graph that the options select.
absl::StatusOr<size_t> Choose(const std::vector<RawMetaGraph>& graphs,
                              const ImportOptions& options) {
  const std::set<std::string> wanted(options.tags.begin(), options.tags.end());
  std::vector<std::string> known;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (TagsOf(graphs[i]) == wanted) return i;
    known.push_back(TagsText(TagsOf(graphs[i])));
  }
  if (options.any_tags && !graphs.empty()) return size_t{0};
  return absl::NotFoundError(fmt::format(
      "Could not find meta graph def matching supplied tags: {}; the model has {}",
      TagsText(wanted), known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

// The signatures sorted by key, without the loader's own. Inputs and outputs must be dense tensors.
absl::StatusOr<std::vector<SignatureInfo>> Signatures(const tf::MetaGraphDef& meta) {
  Problems problems;
  std::vector<SignatureInfo> signatures;
  for (const auto& [key, proto] : meta.signature_def()) {
    if (key.starts_with("__saved_model_")) continue;
    for (const auto* side : {&proto.inputs(), &proto.outputs()})
      for (const auto& [name, info] : *side)
        if (info.encoding_case() != tf::TensorInfo::kName)
          problems.Add({.reason = fmt::format(
                            "signature '{}': '{}' is a sparse or composite tensor", key, name),
                        .code = absl::StatusCode::kUnimplemented});
    signatures.push_back(SignatureFromProto(key, proto));
  }
  std::ranges::sort(signatures, {}, &SignatureInfo::key);
  if (!problems.empty()) return problems.ToStatus();
  return signatures;
}

// The nodes that the loader runs: TensorFlow 2 names them in a signature of its own, TensorFlow 1
// in collections.
std::vector<std::string> InitOps(const tf::MetaGraphDef& meta) {
  std::vector<std::string> names;
  if (const auto it = meta.signature_def().find("__saved_model_init_op");
      it != meta.signature_def().end())
    for (const auto& [key, info] : it->second.outputs())
      names.push_back(ParseTensorName(info.name()).first);
  for (const char* key : {"saved_model_main_op", "legacy_init_op"})
    if (const auto it = meta.collection_def().find(key); it != meta.collection_def().end())
      for (const std::string& name : it->second.node_list().value())
        names.push_back(ParseTensorName(name).first);
  return names;
}

// TensorFlow 1 keeps assets in a collection.
std::vector<tf::AssetFileDef> AssetsOf(const tf::MetaGraphDef& meta) {
  std::vector<tf::AssetFileDef> assets(meta.asset_file_def().begin(), meta.asset_file_def().end());
  const auto collection = meta.collection_def().find("saved_model_assets");
  if (!assets.empty() || collection == meta.collection_def().end()) return assets;
  for (const auto& any : collection->second.any_list().value())
    if (tf::AssetFileDef asset; asset.ParseFromString(any.value())) assets.push_back(asset);
  return assets;
}

Loading LoadingOf(const tf::MetaGraphDef& meta, const FileLoader& files) {
  Loading loading{.init_ops = InitOps(meta),
                  .assets = {},
                  .files = files,
                  .checkpoint = "variables/variables",
                  .restore_op = meta.saver_def().restore_op_name()};
  for (const tf::AssetFileDef& asset : AssetsOf(meta)) {
    const auto [node, slot] = ParseTensorName(asset.tensor_info().name());
    // All assets lie in one folder: an untrusted model must not read files elsewhere.
    const auto name = std::filesystem::path(asset.filename()).filename();
    loading.assets[TensorName(node, slot)] = fmt::format("assets/{}", name.string());
  }
  return loading;
}

absl::StatusOr<std::vector<RawMetaGraph>> ReadFolder(const std::filesystem::path& folder,
                                                     const FileLoader& files) {
  const absl::StatusOr<OwnedBytes> binary = files("saved_model.pb");
  if (binary.ok()) return ReadSavedModel(*binary);
  if (!absl::IsNotFound(binary.status())) return binary.status();
  const absl::StatusOr<OwnedBytes> text = files("saved_model.pbtxt");
  if (text.ok()) return ReadSavedModelText(AsText(text->bytes));
  if (!absl::IsNotFound(text.status())) return text.status();
  const std::string foreign = ForeignFolder(folder);
  return absl::NotFoundError(fmt::format(
      "{} is a directory without saved_model.pb or saved_model.pbtxt: no SavedModel{}{}",
      folder.string(), foreign.empty() ? "" : "; ", foreign));
}

// Of a model of TensorFlow 2 the graph itself only has what saves and restores variables: without
// signatures nothing calls its functions.
bool IsOnlySaver(const Graph& graph, const tf::MetaGraphDef& meta) {
  const std::string file = ParseTensorName(meta.saver_def().filename_tensor_name()).first;
  const auto is_fed = [&](const Node* node) {
    return node->node_class() == NodeClass::kPlaceholder && node->name() != file;
  };
  return !file.empty() && std::ranges::none_of(graph.op_nodes(), is_fed);
}

}  // namespace

absl::StatusOr<ImportedModel> ImportSavedModel(std::vector<RawMetaGraph> graphs,
                                               const FileLoader& files,
                                               const ImportOptions& options) {
  const absl::StatusOr<size_t> chosen = Choose(graphs, options);
  if (!chosen.ok()) return chosen.status();
  RawMetaGraph& graph = graphs[*chosen];
  absl::StatusOr<std::vector<SignatureInfo>> signatures = Signatures(graph.meta);
  if (!signatures.ok()) return signatures.status();
  absl::StatusOr<RawGraph> raw = graph.is_text ? RawGraphFromProto(std::move(graph.graph_message))
                                               : ReadGraphDef(graph.graph_bytes);
  if (!raw.ok()) return raw.status();
  absl::StatusOr<ImportedModel> model = BuildModel(*std::move(raw), "saved_model", options,
                                                   &graph.meta.meta_info_def().stripped_op_list());
  if (!model.ok()) return model;
  model->tags.assign(graph.meta.meta_info_def().tags().begin(),
                     graph.meta.meta_info_def().tags().end());
  for (const RawMetaGraph& each : graphs) {
    const std::set<std::string> tags = TagsOf(each);
    model->tag_sets.emplace_back(tags.begin(), tags.end());
  }
  if (TagsOf(graph) != std::set(options.tags.begin(), options.tags.end()))
    model->notes.push_back(fmt::format("shown is the graph tagged {}", TagsText(TagsOf(graph))));
  model->loading = LoadingOf(graph.meta, files);
  if (signatures->empty() && IsOnlySaver(*model->graph, graph.meta))
    return absl::InvalidArgumentError(
        "the SavedModel has no signatures, so nothing says what to compute: save it with one, as "
        "by "
        "`tf.saved_model.save(model, FOLDER, signatures=model.f.get_concrete_function(...))`, or "
        "with Keras by `model.export(FOLDER)`");
  if (!signatures->empty())
    if (absl::Status s = SetSignatures(*std::move(signatures), &*model); !s.ok()) return s;
  return model;
}

absl::StatusOr<ImportedModel> ImportSavedModelFolder(const std::filesystem::path& folder,
                                                     const ImportOptions& options) {
  const FileLoader files = FilesIn(folder);
  absl::StatusOr<std::vector<RawMetaGraph>> graphs = ReadFolder(folder, files);
  if (!graphs.ok()) return graphs.status();
  return ImportSavedModel(*std::move(graphs), files, options);
}

}  // namespace linnet::converter
