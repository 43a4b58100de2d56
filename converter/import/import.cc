// SPDX-License-Identifier: Apache-2.0
#include "converter/import/import.h"

#include <algorithm>

#include "converter/import/checkpoint_files.h"
#include "converter/import/foreign_format.h"
#include "converter/import/gzip.h"
#include "converter/import/model.h"
#include "converter/import/raw_graph.h"
#include "converter/import/saved_model.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

enum class Format { kGraphDef, kPbtxt, kMetaGraph, kTfjs, kSavedModel };

// By content, since a file may have any name. A binary GraphDef has control characters (lengths,
// tags) near its start; a SavedModel starts with its version number.
Format Detect(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  if (head.starts_with("\x08\x01")) return Format::kSavedModel;
  const bool is_text = std::ranges::none_of(head, [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
  });
  if (!is_text) return IsMetaGraph(text) ? Format::kMetaGraph : Format::kGraphDef;
  const std::string_view start =
      head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  if (start.starts_with('{')) return Format::kTfjs;
  if (start.starts_with("saved_model_schema_version") || start.starts_with("meta_graphs"))
    return Format::kSavedModel;
  return Format::kPbtxt;
}

absl::StatusOr<ImportedModel> BuildGraphDef(absl::StatusOr<RawGraph> raw, const char* format,
                                            const ImportOptions& options) {
  if (!raw.ok()) return raw.status();
  absl::StatusOr<ImportedModel> model = BuildModel(*std::move(raw), format, options);
  if (model.ok()) model->loading.files = options.files;
  return model;
}

// Weights files must lie beside model.json: an untrusted manifest must not read files elsewhere.
FileLoader WeightsIn(const std::filesystem::path& folder) {
  return [folder](const std::string& name) -> absl::StatusOr<OwnedBytes> {
    const std::filesystem::path path(name);
    if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
      return absl::InvalidArgumentError(
          fmt::format("weights file '{}' is not beside model.json", name));
    return MapFile(folder / path);
  };
}

// Tells where the variables are that --checkpoint names.
absl::Status AddCheckpoint(const std::string& given, ImportedModel* model) {
  const absl::StatusOr<std::filesystem::path> prefix = CheckpointPrefix(given);
  if (!prefix.ok()) return prefix.status();
  model->loading.files = FilesIn(prefix->parent_path());
  model->loading.checkpoint = prefix->filename().string();
  return absl::OkStatus();
}

// A graph of TensorFlow 1 that was saved beside its checkpoint.
absl::StatusOr<ImportedModel> ImportMetaGraph(const OwnedBytes& file,
                                              const std::filesystem::path& path,
                                              const ImportOptions& given) {
  absl::StatusOr<RawMetaGraph> graph = ReadMetaGraph(file);
  if (!graph.ok()) return graph.status();
  ImportOptions options = given;
  const auto& tags = graph->meta.meta_info_def().tags();
  options.tags.assign(tags.begin(), tags.end());
  std::vector<RawMetaGraph> graphs;
  graphs.push_back(*std::move(graph));
  absl::StatusOr<ImportedModel> model = ImportSavedModel(std::move(graphs), options.files, options);
  if (!model.ok()) return model;
  model->format = "meta_graph";
  model->tags.clear();
  model->tag_sets.clear();
  model->loading.checkpoint = path.stem().string();  // of the files beside it, where there are any
  return model;
}

bool IsTfjsFolder(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto has = [&](const char* name) {
    return std::filesystem::is_regular_file(folder / name, ignored);
  };
  return has("model.json") && !has("saved_model.pb") && !has("saved_model.pbtxt");
}

// Reads `path` without its checkpoint.
absl::StatusOr<ImportedModel> ImportGraph(const std::filesystem::path& path,
                                          const ImportOptions& given) {
  std::error_code ignored;  // MapFile reports what is wrong with the path
  if (std::filesystem::is_directory(path, ignored))
    return IsTfjsFolder(path) ? ImportGraph(path / "model.json", given)
                              : ImportSavedModelFolder(path, given);
  ImportOptions options = given;
  const std::filesystem::path folder = path.parent_path();
  if (!options.files) options.files = FilesIn(folder);
  const absl::StatusOr<OwnedBytes> packed = MapFile(path);
  if (!packed.ok()) return packed.status();
  const absl::StatusOr<OwnedBytes> file = Unpacked(*packed);
  if (!file.ok()) return file.status();
  if (const std::string foreign = ForeignFormat(AsText(file->bytes)); !foreign.empty())
    return absl::InvalidArgumentError(fmt::format("no TensorFlow graph, but {}", foreign));
  switch (Detect(AsText(file->bytes))) {
    case Format::kGraphDef:
      return ImportGraphDef(*file, options);
    case Format::kPbtxt:
      return ImportPbtxt(AsText(file->bytes), options);
    case Format::kMetaGraph:
      return ImportMetaGraph(*file, path, options);
    case Format::kTfjs:
      return ImportTfjs(AsText(file->bytes), WeightsIn(folder), options);
    case Format::kSavedModel:
      break;
  }
  const std::string name = path.filename().string();
  if (name == "saved_model.pb" || name == "saved_model.pbtxt")
    return ImportSavedModelFolder(folder, options);
  return absl::InvalidArgumentError(fmt::format(
      "{} belongs to a SavedModel: give the folder with saved_model.pb in it", path.string()));
}

}  // namespace

absl::StatusOr<ImportedModel> ImportGraphDef(const OwnedBytes& file, const ImportOptions& options) {
  return BuildGraphDef(ReadGraphDef(file), "graphdef", options);
}

absl::StatusOr<ImportedModel> ImportPbtxt(std::string_view text, const ImportOptions& options) {
  return BuildGraphDef(ReadPbtxt(text), "pbtxt", options);
}

absl::StatusOr<ImportedModel> ImportModel(const std::filesystem::path& path,
                                          const ImportOptions& options) {
  absl::StatusOr<ImportedModel> model = ImportGraph(path, options);
  if (!model.ok() || options.checkpoint.empty()) return model;
  if (model->format == "saved_model" || model->format == "tfjs")
    return absl::InvalidArgumentError(
        "--checkpoint: the model has its variables already; the option is for a graph alone");
  if (absl::Status s = AddCheckpoint(options.checkpoint, &*model); !s.ok()) return s;
  return model;
}

}  // namespace linnet::converter
