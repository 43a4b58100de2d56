// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "converter/import/saved_model.h"
#include "tests/converter/import/checkpoint/table_builder.h"

namespace linnet::converter {

// x * w, where save/assign restores w from the checkpoint's "layer/kernel".
inline constexpr char kSmallSavedModel[] = R"(
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { dim { size: 2 } } } } }
    node { name: "r" op: "ReadVariableOp" input: "w" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "y" op: "Mul" input: "x" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
    node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value {
           tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "layer/kernel" } } } }
    node { name: "slices" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value {
           tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "" } } } }
    node { name: "restore" op: "RestoreV2" input: "file" input: "names" input: "slices"
           attr { key: "dtypes" value { list { type: DT_FLOAT } } } }
    node { name: "assign" op: "AssignVariableOp" input: "w" input: "restore"
           attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "all" op: "NoOp" input: "^assign" }
  }
  saver_def { filename_tensor_name: "file:0" restore_op_name: "all" version: V2 }
  signature_def { key: "serving_default" value {
    inputs { key: "input" value { name: "x:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } }
    outputs { key: "output" value { name: "y:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } } } }
  signature_def { key: "__saved_model_init_op" value {
    outputs { key: "__saved_model_init_op" value { name: "all" tensor_shape { unknown_rank: true } } } } }
}
meta_graphs { meta_info_def { tags: "train" tags: "gpu" } graph_def { node { name: "n" op: "NoOp" } } })";

inline BundleBuilder Checkpoint() {
  BundleBuilder builder;
  builder.Put("layer/kernel", builder.Entry<float>(tf::DT_FLOAT, {2}, {3, 4}));
  return builder;
}

// The files of a SavedModel with this checkpoint.
inline FileLoader Files(const BundleBuilder& checkpoint) {
  return [index = Table(checkpoint.entries),
          data = checkpoint.data](const std::string& path) -> absl::StatusOr<OwnedBytes> {
    const bool is_index = path == "variables/variables.index";
    if (!is_index && path != "variables/variables.data-00000-of-00001")
      return absl::NotFoundError(path);
    auto kept = std::make_shared<std::string>(is_index ? index : data);
    return OwnedBytes{std::as_bytes(std::span(*kept)), kept};
  };
}

inline absl::StatusOr<ImportedModel> ImportSmallSavedModel(
    const FileLoader& files, const ImportOptions& options = {},
    std::string_view text = kSmallSavedModel) {
  absl::StatusOr<std::vector<RawMetaGraph>> graphs = ReadSavedModelText(text);
  if (!graphs.ok()) return graphs.status();
  return ImportSavedModel(*std::move(graphs), files, options);
}

}  // namespace linnet::converter
