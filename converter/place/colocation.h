// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/place/device_name.h"

namespace linnet::converter {

// Nodes that share a device, and what is asked of them together.
struct ColocationGroup {
  DeviceName requested;         // a wish: conflicts are given up where placement is soft
  DeviceName resource;          // of variables and tables: given up last, where placement is soft
  DeviceName fixed;             // no wish: assigned before, or of the command line
  std::vector<int> devices;     // of the device set: each can run every member; preferred first
  const Node* asked = nullptr;  // the first member that asks for a device
  int size = 1;
};

// Which nodes share a device: a union-find over node ids, whose roots carry the groups.
class Colocation {
 public:
  Colocation(int num_node_ids, bool soft);

  bool soft() const { return soft_; }
  ColocationGroup& group(const Node& node) { return groups_[Root(node.id())]; }
  const ColocationGroup& group(const Node& node) const { return groups_[Root(node.id())]; }

  // One group from now on. InvalidArgument with TensorFlow's texts, and nothing changed: "Cannot
  // colocate nodes {{colocation_node a}} and {{colocation_node b}} because no device type supports
  // both of those nodes and the other nodes colocated with them.", "...: Cannot merge devices ...".
  absl::Status Unite(const Node& a, const Node& b);

  // The same for the ends of an edge that carries a reference or a resource: where wishes differ
  // `src`'s counts; resources and what is fixed may not differ.
  absl::Status UniteAcross(const Node& src, const Node& dst);

 private:
  int Root(int id) const;

  const bool soft_;
  mutable std::vector<int> parents_;  // shortened while searching
  std::vector<int> ranks_;
  std::vector<ColocationGroup> groups_;  // valid at roots
};

// Unites what the graph says belongs together: reference and resource edges, then `_class` entries
// "loc:@x" (a node without any is in the group of its own name, and of its sources' names). The
// latter are wishes too: what cannot be had is ignored where placement is soft.
void UniteColocated(const Graph& graph, Colocation* colocation, Problems* problems);

// Does a node make a variable, table or other resource? (One such output, no such input.)
bool MakesResource(const Node& node);

}  // namespace linnet::converter
