// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/raw_graph.h"

// TensorFlow's GraphConstructor, with TensorFlow's rules and error texts, except that independent
// problems are reported together.
namespace linnet::converter {

using TensorId = std::pair<std::string, int>;  // node, slot; slot -1 = control

// "^a" -> (a, -1), "a:3" -> (a, 3); anything else is a name: "a:-1" -> ("a:-1", 0).
TensorId ParseTensorName(std::string_view text);

// [A-Za-z0-9.][A-Za-z0-9_.\-/]*, then further such parts behind '>'. With `allow_internal_ops` the
// name may also begin with '_'.
bool IsValidNodeName(std::string_view name, bool allow_internal_ops);

struct ConstructorOptions {
  bool allow_internal_ops = true;
  bool validate_colocation = true;
  bool check_output_shapes = false;  // as TensorFlow does for models, but not for functions
  bool expect_device_spec = false;   // for partitioned graphs: every node must name its device
  // Bytes that may be allocated for constants, see ConstantFromTensor; counted down.
  // Null: kMostExpandedBytes.
  int64_t* constant_room = nullptr;
};

// How new nodes fit into a graph that already has nodes (TensorFlow's ImportGraphDef, which tests
// restate: tests/converter/import/insert_graph.h). Keys are names of the
// RawGraph. By default nothing changes.
struct Surroundings {
  std::map<TensorId, Output> inputs;         // what is read instead of these; -1 maps to slot -1
  std::vector<Node*> control_dependencies;   // run before all new nodes
  std::string prefix;                        // of all names
  std::map<std::string, std::string> names;  // of nodes that are not called prefix + name
  std::vector<bool> skipped;                 // by index: nodes to leave out; empty: none
  std::string default_device;                // of nodes that name none

  std::string NameOf(const std::string& name) const;
  bool IsSkipped(size_t node) const { return !skipped.empty() && skipped[node]; }
  bool ChangesNodes() const;  // renames nodes or gives them a device
};

// Adds the nodes of `raw` to `graph` in topological order and returns them by their index in `raw`,
// null for skipped ones. After a failure `graph` is as it was, except for functions. `notes` gets
// warnings.
absl::StatusOr<std::vector<Node*>> ConstructNodes(RawGraph raw, const ConstructorOptions& options,
                                                  const Surroundings& around, Graph* graph,
                                                  std::vector<std::string>* notes);

// Checks the versions of `raw` and builds the empty `graph` from it. Returns the nodes by their
// index in `raw`. After a failure `graph` has no nodes.
absl::StatusOr<std::vector<Node*>> ConstructGraph(RawGraph raw, const ConstructorOptions& options,
                                                  Graph* graph, std::vector<std::string>* notes);

}  // namespace linnet::converter
