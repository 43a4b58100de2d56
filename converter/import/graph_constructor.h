// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/raw_graph.h"

// TensorFlow's GraphConstructor: rules and error texts are its own, except that independent
// problems are reported together.
namespace linnet::converter {

using TensorId = std::pair<std::string, int>;  // node, slot; slot -1 = control

// "^a" -> (a, -1), "a:3" -> (a, 3), everything else is a name: "a:-1" -> ("a:-1", 0).
TensorId ParseTensorName(std::string_view text);

// [A-Za-z0-9.][A-Za-z0-9_.\-/]* and further parts behind '>'; a first '_' only for internal names.
bool IsValidNodeName(std::string_view name, bool allow_internal_ops);

struct ConstructorOptions {
  bool allow_internal_ops = true;
  bool validate_colocation = true;
  bool check_output_shapes = false;  // as TensorFlow does of a model, not of functions
  bool expect_device_spec = false;   // partitioned graphs: every node names its device
  int64_t max_expanded_bytes = kMostExpandedBytes;  // see ExpansionBudget
  // What is left of a budget for several graphs, instead of max_expanded_bytes. May be null.
  ExpansionBudget* budget = nullptr;
};

// What a graph that has nodes already means for those that come to it (insert_graph.h). Nothing at
// all where it has none. Names on the left are those of the RawGraph.
struct Surroundings {
  std::map<TensorId, Output> inputs;         // what is read instead; slot -1 for slot -1
  std::vector<Node*> control_dependencies;   // run before all that is new
  std::string prefix;                        // before every name
  std::map<std::string, std::string> names;  // of nodes that are not called prefix + name
  std::vector<bool> skipped;                 // by node: stays out. Empty: none does
  std::string default_device;                // of nodes that name none

  std::string NameOf(const std::string& name) const;
  bool ChangesNodes() const;  // names or devices, of some
};

// Adds the nodes of `raw` to `graph`, in an order in which they could run: each node's own, null
// for what is skipped. A failure leaves `graph` as it was, except for functions.
absl::StatusOr<std::vector<Node*>> ConstructNodes(RawGraph raw, const ConstructorOptions& options,
                                                  const Surroundings& around, Graph* graph,
                                                  std::vector<std::string>* notes);

// Builds `graph`, which is empty and is so again after a failure, out of `raw`. `notes` gets what
// is odd but no error.
absl::Status ConstructGraph(RawGraph raw, const ConstructorOptions& options, Graph* graph,
                            std::vector<std::string>* notes);

}  // namespace linnet::converter
