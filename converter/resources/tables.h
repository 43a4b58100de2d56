// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/import.h"

namespace linnet::converter {

// Gives the handle of a hash table: HashTableV2, MutableHashTableV2 and the like.
bool IsTable(const Node& node);
// Nodes of the same name are one table, as variables are (variables.h).
std::string TableName(const Node& table);
// Entries may be set again: the last one counts. The same key twice with different values is an
// error elsewhere.
bool IsMutableTable(const Node& table);
// Changes a table once it is filled: LookupTableInsertV2, LookupTableRemoveV2.
bool WritesTable(std::string_view op);

// What the hash tables of a model hold once it is loaded. Nothing is run: which op fills a table is
// read off the graph, on a copy of it.
class Tables {
 public:
  // Null for a graph without tables. `notes` gets what is odd about the nodes that run.
  static std::shared_ptr<const Tables> Of(const Graph& graph, Loading loading,
                                          std::vector<std::string>* notes);

  // The keys and the values as results 0 and 1 of a graph without inputs, in TensorFlow's
  // vocabulary. A text file is read. NotFound, Unimplemented or InvalidArgument.
  absl::StatusOr<std::unique_ptr<Graph>> Content(const std::string& name) const;
  // Is a file of `loading.assets` what some table is filled from?
  bool Reads(const std::string& tensor) const;

 private:
  Tables(const Graph& graph, Loading loading);
  void FindFillers();
  absl::StatusOr<OwnedBytes> FileOf(Output path) const;

  Graph graph_;  // with the functions that run at loading inlined
  Loading loading_;
  std::map<std::string, std::vector<std::string>> fillers_;  // nodes, by table
};

}  // namespace linnet::converter
