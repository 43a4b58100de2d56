// SPDX-License-Identifier: Apache-2.0
#include "converter/import/import.h"

#include <algorithm>

#include "converter/import/model.h"
#include "converter/import/raw_graph.h"
#include "converter/import/saved_model.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

enum class Format { kGraphDef, kPbtxt, kTfjs, kSavedModel };

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// By content, because names lie. A binary GraphDef shows control characters (lengths, tags) right
// away; a SavedModel starts with its version number.
Format Detect(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  if (head.starts_with("\x08\x01")) return Format::kSavedModel;
  const bool is_text = std::none_of(head.begin(), head.end(), [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
  });
  if (!is_text) return Format::kGraphDef;
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && head[first] == '{') return Format::kTfjs;
  const std::string_view text_head = head.substr(std::min(first, head.size()));
  if (text_head.starts_with("saved_model_schema_version") || text_head.starts_with("meta_graphs"))
    return Format::kSavedModel;
  return Format::kPbtxt;
}

absl::StatusOr<ImportedModel> BuildGraphDef(RawGraph raw, const char* format,
                                            const ImportOptions& options) {
  absl::StatusOr<ImportedModel> model = BuildModel(std::move(raw), format, options);
  if (model.ok()) model->loading.files = options.files;
  return model;
}

// Weights lie beside model.json; a manifest must not reach other places of the disk.
WeightsLoader LoaderFor(const std::filesystem::path& folder) {
  return [folder](const std::string& name) -> absl::StatusOr<OwnedBytes> {
    const std::filesystem::path path(name);
    if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
      return absl::InvalidArgumentError(
          fmt::format("weights file '{}' is not beside model.json", name));
    return MapFile(folder / path);
  };
}

}  // namespace

absl::StatusOr<ImportedModel> ImportGraphDef(const OwnedBytes& file, const ImportOptions& options) {
  absl::StatusOr<RawGraph> raw = ReadGraphDef(file);
  if (!raw.ok()) return raw.status();
  return BuildGraphDef(*std::move(raw), "graphdef", options);
}

absl::StatusOr<ImportedModel> ImportPbtxt(std::string_view text, const ImportOptions& options) {
  absl::StatusOr<RawGraph> raw = ReadPbtxt(text);
  if (!raw.ok()) return raw.status();
  return BuildGraphDef(*std::move(raw), "pbtxt", options);
}

absl::StatusOr<ImportedModel> ImportModel(const std::filesystem::path& path,
                                          const ImportOptions& given) {
  ImportOptions options = given;
  if (!options.files)
    options.files = [folder = path.parent_path()](const std::string& name) {
      return MapFile(folder / name);
    };
  std::error_code none;  // what is no directory is a file, or MapFile says what is wrong
  if (std::filesystem::is_directory(path, none)) return ImportSavedModelFolder(path, options);
  absl::StatusOr<OwnedBytes> file = MapFile(path);
  if (!file.ok()) return file.status();
  switch (Detect(AsText(file->bytes))) {
    case Format::kGraphDef:
      return ImportGraphDef(*file, options);
    case Format::kPbtxt:
      return ImportPbtxt(AsText(file->bytes), options);
    case Format::kTfjs:
      return ImportTfjs(AsText(file->bytes), LoaderFor(path.parent_path()), options);
    case Format::kSavedModel:
      break;
  }
  const std::string name = path.filename().string();
  if (name == "saved_model.pb" || name == "saved_model.pbtxt")
    return ImportSavedModelFolder(path.parent_path(), options);
  return absl::InvalidArgumentError(fmt::format(
      "{} belongs to a SavedModel: give the folder with saved_model.pb in it", path.string()));
}

}  // namespace linnet::converter
