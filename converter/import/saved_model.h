// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/meta_graph.pb.h"

namespace linnet::converter {

// One of a SavedModel's graphs. graph_def is taken out of `meta`.
struct RawMetaGraph {
  tf::MetaGraphDef meta;
  OwnedBytes graph_bytes;      // binary form: a view of the serialised graph_def
  tf::GraphDef graph_message;  // text form
  bool is_text = false;
};

// Binary form, read field by field: graphs are viewed, not parsed. InvalidArgument.
absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModel(const OwnedBytes& file);
// Text form. InvalidArgument "line 3, column 7: ...".
absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModelText(std::string_view text);

// What TensorFlow 1 writes beside its checkpoints, as model.ckpt-1000.meta: a graph, and what is
// known of it. By content.
bool IsMetaGraph(std::string_view file);
// Its binary form. InvalidArgument.
absl::StatusOr<RawMetaGraph> ReadMetaGraph(const OwnedBytes& file);

// Builds the graph that options.tags select, with its signatures. `files` gives the other files of
// the SavedModel, such as "variables/variables.index".
absl::StatusOr<ImportedModel> ImportSavedModel(std::vector<RawMetaGraph> meta_graphs,
                                               const FileLoader& files,
                                               const ImportOptions& options);

// Reads saved_model.pb or saved_model.pbtxt in `folder`. NotFound when it has neither.
absl::StatusOr<ImportedModel> ImportSavedModelFolder(const std::filesystem::path& folder,
                                                     const ImportOptions& options);

}  // namespace linnet::converter
