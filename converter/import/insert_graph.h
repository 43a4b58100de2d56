// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/graph_constructor.h"
#include "converter/import/raw_graph.h"

// TensorFlow's ImportGraphDef: a GraphDef becomes part of a graph that has nodes already.
namespace linnet::converter {

struct InsertOptions {
  // "a" puts the node "x" in as "a/x". Colocation groups follow.
  std::string prefix;
  // A name that is taken, by a node or as the scope of one, gets "_1", "_2" ... behind it; else it
  // is an error. The second is about the prefix, and names below a prefix of its own are free.
  bool uniquify_names = false;
  bool uniquify_prefix = false;
  // Inputs as the GraphDef writes them, without prefix -> what is read instead, of the graph. Slot
  // -1 means control edges, on both sides.
  std::map<TensorId, TensorId> input_map;
  // Leaves out nodes that have outputs, all of which are mapped.
  bool skip_mapped_nodes = false;
  // Nodes of the graph that everything new runs after. The edges go only to those nodes that follow
  // no other new one.
  std::vector<std::string> control_dependencies;
  // As the GraphDef names them; see Inserted. No nodes together with skip_mapped_nodes.
  std::vector<TensorId> return_tensors;
  std::vector<std::string> return_nodes;
  bool validate_colocation = true;
  std::string default_device;  // of nodes that name none
};

struct Inserted {
  std::vector<Output> tensors;  // of return_tensors; the graph's own where input_map has them
  std::vector<Node*> nodes;     // of return_nodes, whatever input_map says
  // Keys of input_map that nobody reads and no node has: most likely mistyped.
  std::vector<TensorId> unused_inputs;
};

// The graph, of TensorFlow's ops, grows by `raw`; its versions are then what both can be read with:
// the smaller producer, the larger min_consumer, bad_consumers of both. A failure changes nothing
// but the functions. InvalidArgument in TensorFlow's words, and what ConstructGraph finds.
absl::StatusOr<Inserted> InsertGraph(RawGraph raw, const InsertOptions& options, Graph* graph,
                                     std::vector<std::string>* notes);

}  // namespace linnet::converter
