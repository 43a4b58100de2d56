// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/mapped_file.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/tensor_shape.pb.h"
#include "schema/tensorflow/types.pb.h"

// Reads models of any format into a Graph of TensorFlow ops. README.md tells about each format.
namespace linnet::converter {

// One input or output of a signature.
struct TensorRef {
  std::string key;     // the signature's name for it; `tensor` where the model has no signatures
  std::string tensor;  // "node" or "node:1"
  tf::DataType dtype = tf::DT_INVALID;  // DT_INVALID: the model does not say
  tf::TensorShapeProto shape;           // unknown_rank: the model does not say
};

struct SignatureInfo {
  std::string key;  // "serving_default", ...; "default" where the model has no signatures
  std::vector<TensorRef> inputs, outputs;  // in the file's order where it has one, else by key
};

// The files that belong to a model besides its graph, and the nodes that run when TensorFlow loads
// it. The import does not read these files: LoadResources does (resources/resources.h).
struct Loading {
  std::vector<std::string> init_ops;          // names of the nodes that run at loading
  std::map<std::string, std::string> assets;  // tensor that is fed with a path -> file it names
  FileLoader files;                           // beside the model; null: there are none
  std::string checkpoint;  // how the names of its files start; empty: this format has none
  std::string restore_op;  // name of the node that restores it; may be empty
};

struct ImportedModel {
  // Ops that TensorFlow does not have (custom_ops.h), which the graph uses; null: there are none.
  std::unique_ptr<OpTable> custom_ops;
  std::unique_ptr<Graph> graph;
  // Never empty for a graph with nodes. A model without signatures gets one: its inputs are the
  // Placeholders, its outputs all outputs of nodes without consumers.
  std::vector<SignatureInfo> signatures;
  bool has_signatures = false;     // false: signatures were made up as said above
  std::string format;              // "graphdef", "pbtxt", "meta_graph", "tfjs", "saved_model"
  std::vector<std::string> notes;  // warnings for the report
  std::vector<std::string> tags;   // of the graph that was read, where it is a SavedModel's
  std::vector<std::vector<std::string>> tag_sets;  // of a SavedModel's graphs, in the file's order
  Loading loading;
};

struct ImportOptions {
  const OpRegistry* registry = nullptr;  // nullptr: OpRegistry::Global()
  // Accept op names, node names and `_`-prefixed ops that TensorFlow keeps to itself.
  bool allow_internal_ops = true;
  bool validate_colocation = true;
  // Most bytes that all constants written as a few repeated values may expand to together.
  int64_t max_expanded_bytes = kMostExpandedBytes;
  // Selects the graph of a SavedModel that has exactly these tags. With `any_tags`, for inspection,
  // the first graph is taken where none has them.
  std::vector<std::string> tags = {"serve"};
  bool any_tags = false;
  // Where the variables of a graph are that comes without them (CheckpointPrefix): for ImportModel
  // and files with a graph alone. Empty: beside a .meta file those of its name, else nowhere.
  std::string checkpoint;
  // Files beside a GraphDef. Null: ImportModel looks in the model's folder, the other functions
  // find none.
  FileLoader files;
};

// Reads `path`: the folder of a SavedModel or a tfjs model, or a .pb, .pbtxt, .meta or model.json
// file. Formats are told apart by content; the saved_model.pb of a folder stands for the folder.
// All problems are reported together. InvalidArgument, NotFound (no file), Unimplemented (removed
// op). The graph keeps the mapped files alive through its constants.
absl::StatusOr<ImportedModel> ImportModel(const std::filesystem::path& path,
                                          const ImportOptions& options = {});

// The same for bytes in memory, which must outlive the model where they have no `owner`.
absl::StatusOr<ImportedModel> ImportGraphDef(const OwnedBytes& file,
                                             const ImportOptions& options = {});
absl::StatusOr<ImportedModel> ImportPbtxt(std::string_view text, const ImportOptions& options = {});
// `load` gives the weights files that the manifest names.
absl::StatusOr<ImportedModel> ImportTfjs(std::string_view model_json, const FileLoader& load,
                                         const ImportOptions& options = {});

}  // namespace linnet::converter
