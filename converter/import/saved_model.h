// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/meta_graph.pb.h"

namespace linnet::converter {

// One of a SavedModel's graphs, taken apart: `meta` without graph_def.
struct RawMetaGraph {
  tf::MetaGraphDef meta;
  OwnedBytes graph_bytes;      // binary form: the serialised graph_def, where it lies
  tf::GraphDef graph_message;  // text form
  bool is_text = false;
};

// Binary form, walked on the wire: graphs stay where they are. InvalidArgument.
absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModel(const OwnedBytes& file);
// Text form. InvalidArgument "line 3, column 7: ...".
absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModelText(std::string_view text);

// The other files of a SavedModel: bytes of "variables/variables.index" and the like; NotFound.
using SavedModelFiles = std::function<absl::StatusOr<OwnedBytes>(const std::string& path)>;

// Chooses the graph by options.tags and gives it its signatures and its variables.
absl::StatusOr<ImportedModel> ImportSavedModel(std::vector<RawMetaGraph> meta_graphs,
                                               const SavedModelFiles& files,
                                               const ImportOptions& options);

// `folder` with a saved_model.pb or saved_model.pbtxt. NotFound when it has neither.
absl::StatusOr<ImportedModel> ImportSavedModelFolder(const std::filesystem::path& folder,
                                                     const ImportOptions& options);

}  // namespace linnet::converter
