// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/place/device_name.h"

namespace linnet::converter {

// Nodes that share a device, and the device that they ask for together. Soft placement may ignore a
// wish, but not what is fixed.
struct ColocationGroup {
  DeviceName requested;         // a wish; parts in conflict are dropped where placement is soft
  DeviceName resource;          // a wish of variables and tables, the last to be ignored
  DeviceName fixed;             // assigned before, or given on the command line
  std::vector<int> devices;     // of the device set: each can run every member; preferred first
  const Node* asked = nullptr;  // the first member that asks for a device
  int size = 1;
};

// Which nodes share a device: a union-find over node ids, whose roots hold the groups.
class Colocation {
 public:
  Colocation(int num_node_ids, bool soft);

  bool soft() const { return soft_; }
  ColocationGroup& group(const Node& node) { return groups_[Root(node.id())]; }
  const ColocationGroup& group(const Node& node) const { return groups_[Root(node.id())]; }

  // Puts both nodes, with all that share their devices, in one group. InvalidArgument with
  // TensorFlow's texts, and nothing changed: "Cannot colocate nodes {{colocation_node a}} and
  // {{colocation_node b}} because no device type supports both of those nodes and the other nodes
  // colocated with them.", "...: Cannot merge devices ...".
  absl::Status Unite(const Node& a, const Node& b);

  // The same for the ends of an edge that carries a reference or a resource: where the requested
  // devices differ, that of `src` counts; `resource` and `fixed` must not differ.
  absl::Status UniteAcross(const Node& src, const Node& dst);

 private:
  int Root(int id) const;

  const bool soft_;
  mutable std::vector<int> parents_;     // paths are shortened while searching
  std::vector<ColocationGroup> groups_;  // valid at roots
};

// Unites the nodes that the graph wants together: the ends of reference and resource edges, then
// nodes with the same `_class` entry "loc:@x" (a node without entries is in the groups of its own
// name and of its sources' names). Soft placement ignores `_class` entries that cannot be met.
void UniteColocated(const Graph& graph, Colocation* colocation, Problems* problems);

// Does a node create a variable, table or other resource? (One such output, no such input.)
bool MakesResource(const Node& node);

}  // namespace linnet::converter
