// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/graph_constructor.h"
#include "converter/import/raw_graph.h"

// TensorFlow's ImportGraphDef: adds a GraphDef to a graph that may have nodes already.
namespace linnet::converter {

struct InsertOptions {
  // With the prefix "a" the node "x" becomes "a/x", also in colocation groups.
  std::string prefix;
  // A name that a node or a scope of the graph has gets a suffix, "_1", "_2" ...; without the
  // option it is an error. The second option does the same for the prefix.
  bool uniquify_names = false;
  bool uniquify_prefix = false;
  // Inputs as the GraphDef names them -> tensors of the graph that are read instead. Slot -1 maps
  // control inputs to control inputs.
  std::map<TensorId, TensorId> input_map;
  // Leaves out nodes whose outputs are all mapped.
  bool skip_mapped_nodes = false;
  // Nodes of the graph that run before all new nodes. Only new nodes that depend on no other new
  // node get such an edge, since the others follow from those.
  std::vector<std::string> control_dependencies;
  // What Inserted returns, by names of the GraphDef. return_nodes is an error together with
  // skip_mapped_nodes.
  std::vector<TensorId> return_tensors;
  std::vector<std::string> return_nodes;
  bool validate_colocation = true;
  std::string default_device;  // of nodes that name none
};

struct Inserted {
  std::vector<Output> tensors;  // return_tensors; mapped ones as input_map says
  std::vector<Node*> nodes;     // return_nodes
  // Keys of input_map that name no output of the GraphDef and that no node reads, which are
  // probably mistyped.
  std::vector<TensorId> unused_inputs;
};

// Adds `raw` to the graph, which is of TensorFlow's ops. The versions are merged: the smaller
// producer, the larger min_consumer, bad_consumers of both. A failure changes nothing but the
// functions. InvalidArgument with TensorFlow's texts, and the errors of ConstructGraph.
absl::StatusOr<Inserted> InsertGraph(RawGraph raw, const InsertOptions& options, Graph* graph,
                                     std::vector<std::string>* notes);

}  // namespace linnet::converter
