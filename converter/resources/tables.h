// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/import.h"

namespace linnet::converter {

// Whether the node gives the handle of a hash table: HashTableV2, MutableHashTableV2 and the like.
bool IsTable(const Node& node);
// Nodes of the same name are one table, as with variables (functions/variable_ops.h).
std::string TableName(const Node& table);
// Keys of a mutable table may be set again. In other tables a key with two values is an error.
bool IsMutableTable(const Node& table);
// Ops that change a table after it is filled: LookupTableInsertV2, LookupTableRemoveV2.
bool WritesTable(std::string_view op);

// The content of a model's hash tables after TensorFlow has loaded it. Nothing is run: a copy of
// the graph shows which op fills which table.
class Tables {
 public:
  // Null for a graph without tables. `notes` gets a warning where the nodes that run at loading
  // cannot be followed.
  static std::shared_ptr<const Tables> Of(const Graph& graph, Loading loading,
                                          std::vector<std::string>* notes);

  // The keys and the values as results 0 and 1 of a graph without inputs, of TensorFlow's ops.
  // Reads the vocabulary file where there is one. NotFound, Unimplemented or InvalidArgument.
  absl::StatusOr<std::unique_ptr<Graph>> Content(const std::string& name) const;
  // Whether a table is filled from the asset file whose path `tensor` has.
  bool Reads(const std::string& tensor) const;

 private:
  Tables(const Graph& graph, Loading loading, std::vector<std::string>* notes);
  absl::StatusOr<OwnedBytes> FileOf(Output path) const;

  Graph graph_;  // with the functions that run at loading inlined
  Loading loading_;
  std::map<std::string, std::vector<std::string>> fillers_;  // table -> nodes that fill it
};

}  // namespace linnet::converter
