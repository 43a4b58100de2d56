// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/mapped_file.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/tensor_shape.pb.h"
#include "schema/tensorflow/types.pb.h"

// Models of any format -> Graph (TensorFlow vocabulary). README.md tells what each format needs.
namespace linnet::converter {

// One input or output of a signature: both of its names are kept.
struct TensorRef {
  std::string
      key;  // the signature's name for it; the node's name where the model has no signatures
  std::string tensor;                   // "node" or "node:1"
  tf::DataType dtype = tf::DT_INVALID;  // DT_INVALID: the model does not say
  tf::TensorShapeProto shape;           // unknown_rank: the model does not say
};

struct SignatureInfo {
  std::string key;  // "serving_default", ...; "default" where the model has no signatures
  std::vector<TensorRef> inputs, outputs;  // in the file's order where it has one, else by key
};

// What belongs to a model beside its graph, and what runs when it is loaded. Nothing of it is read
// here: LoadResources does (resources/resources.h).
struct Loading {
  std::vector<std::string> init_ops;          // nodes that run then
  std::map<std::string, std::string> assets;  // which file is behind a path that is fed, by tensor
  // The bytes of a file beside the model, or of an asset; NotFound. Null: there are none.
  std::function<absl::StatusOr<OwnedBytes>(const std::string& name)> files;
  std::string checkpoint;  // what its files' names start with; empty: this format has none
  std::string restore_op;  // the node that reads it; may be empty
};

struct ImportedModel {
  std::unique_ptr<Graph> graph;
  // Never empty for a graph with nodes. A model without signatures gets one: inputs are its
  // Placeholders, outputs the nodes that nobody consumes (side effects left out).
  std::vector<SignatureInfo> signatures;
  bool has_signatures = false;     // false: signatures were made up as said above
  std::string format;              // "graphdef", "pbtxt", "tfjs", "saved_model"
  std::vector<std::string> notes;  // for the report: what was ignored, what looked odd
  std::vector<std::vector<std::string>> tag_sets;  // of a SavedModel's graphs, in the file's order
  Loading loading;
};

struct ImportOptions {
  const OpRegistry* registry = nullptr;  // nullptr: OpRegistry::Global()
  // Accept op names, node names and `_`-prefixed ops that TensorFlow keeps to itself.
  bool allow_internal_ops = true;
  bool validate_colocation = true;
  // What constants written as a few repeated values may grow to, all together.
  int64_t max_expanded_bytes = kMostExpandedBytes;
  // Which of a SavedModel's graphs: the one with exactly these tags. `any_tags`: the first where
  // none has, for those who only want to look.
  std::vector<std::string> tags = {"serve"};
  bool any_tags = false;
  // The bytes of a file beside a GraphDef, by name; null: ImportModel looks in the model's folder,
  // the others find none.
  std::function<absl::StatusOr<OwnedBytes>(const std::string& name)> files;
};

// Reads `path`: a SavedModel's folder, or a .pb, .pbtxt or model.json file, told apart by content
// (the saved_model.pb of a folder stands for that); all problems at once. On failure nothing
// half-built is left. InvalidArgument, NotFound (no file, unknown op), Unimplemented (removed op).
// The graph keeps the mapped files alive through its constants.
absl::StatusOr<ImportedModel> ImportModel(const std::filesystem::path& path,
                                          const ImportOptions& options = {});

// The same for bytes in memory, which must outlive the model unless `owner` keeps them alive.
absl::StatusOr<ImportedModel> ImportGraphDef(const OwnedBytes& file,
                                             const ImportOptions& options = {});
absl::StatusOr<ImportedModel> ImportPbtxt(std::string_view text, const ImportOptions& options = {});
// tfjs: `load` gives the bytes of a weights file named in the manifest.
using WeightsLoader = std::function<absl::StatusOr<OwnedBytes>(const std::string& path)>;
absl::StatusOr<ImportedModel> ImportTfjs(std::string_view model_json, const WeightsLoader& load,
                                         const ImportOptions& options = {});

}  // namespace linnet::converter
