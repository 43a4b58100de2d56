// SPDX-License-Identifier: Apache-2.0
#include "converter/place/colocation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "converter/graph/placement_wish.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string Cited(const Node& node) {
  return fmt::format("{{{{colocation_node {}}}}}", node.name());
}

std::string_view Text(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

bool IsReferenceOrResource(tf::DataType type) { return IsRefType(type) || type == tf::DT_RESOURCE; }

// The elements of `a` that `b` has too.
std::vector<int> Intersection(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::ranges::copy_if(a, std::back_inserter(both),
                       [&](int device) { return std::ranges::count(b, device) > 0; });
  return both;
}

// The groups that a `_class` entry names. A node's own names matter only for these.
std::set<std::string> NamedGroups(const Graph& graph) {
  std::set<std::string> named;
  for (const Node* node : graph.op_nodes())
    for (std::string& group : WishOf(*node).groups) named.insert(std::move(group));
  return named;
}

// The groups of `node`. Inputs and outputs of the graph are in none, although they have the names
// of what they feed and fetch.
std::vector<std::string> GroupsOf(const Node& node) {
  if (node.node_class() == NodeClass::kArg || node.node_class() == NodeClass::kRetval) return {};
  std::vector<std::string> groups = WishOf(node).groups;
  if (!groups.empty()) return groups;
  groups = node.sources();
  groups.push_back(node.name());
  return groups;
}

}  // namespace

Colocation::Colocation(int num_node_ids, bool soft)
    : soft_(soft), parents_(num_node_ids), groups_(num_node_ids) {
  std::iota(parents_.begin(), parents_.end(), 0);
}

int Colocation::Root(int id) const {
  while (parents_[id] != id) id = parents_[id] = parents_[parents_[id]];
  return id;
}

absl::Status Colocation::Unite(const Node& a, const Node& b) {
  int root = Root(a.id()), child = Root(b.id());
  if (root == child) return absl::OkStatus();
  ColocationGroup merged = groups_[root];
  const ColocationGroup& other = groups_[child];
  const auto fail = [&](std::string_view why) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot colocate nodes {} and {}{}", Cited(a), Cited(b), why));
  };
  const NameConflict soft = soft_ ? NameConflict::kDropKindAndId : NameConflict::kIsError;
  absl::Status status = Merge(other.fixed, NameConflict::kIsError, &merged.fixed);
  status.Update(Merge(other.resource, NameConflict::kIsError, &merged.resource));
  status.Update(Merge(other.requested, soft, &merged.requested));
  if (!status.ok()) return fail(fmt::format(": {}", Text(status)));  // the first of them
  merged.devices = Intersection(merged.devices, other.devices);
  if (merged.devices.empty())
    return fail(
        " because no device type supports both of those nodes and the other nodes colocated with "
        "them.");
  if (merged.asked == nullptr) merged.asked = other.asked;
  if (merged.size < other.size) std::swap(root, child);
  merged.size += other.size;
  parents_[child] = root;
  groups_[root] = std::move(merged);
  return absl::OkStatus();
}

absl::Status Colocation::UniteAcross(const Node& src, const Node& dst) {
  const ColocationGroup& from = group(src);
  ColocationGroup& to = group(dst);
  const auto conflict = [&](std::string_view kind, const DeviceName& a, const DeviceName& b) {
    return absl::InvalidArgumentError(fmt::format(
        "Cannot place the graph because a reference or resource edge connects colocation groups "
        "with incompatible {} devices: {} vs {}. The edge src node is {} , and the dst node is {}",
        kind, ToString(a), ToString(b), src.name(), dst.name()));
  };
  const auto agree = [](DeviceName a, const DeviceName& b) {
    return Merge(b, NameConflict::kIsError, &a).ok();
  };
  if (!agree(from.fixed, to.fixed)) return conflict("assigned", from.fixed, to.fixed);
  if (!agree(from.resource, to.resource)) return conflict("resource", from.resource, to.resource);
  DeviceName before = to.requested;
  if (!agree(from.requested, to.requested)) to.requested = from.requested;
  if (const absl::Status status = Unite(src, dst); !status.ok()) {
    to.requested = std::move(before);
    return absl::InvalidArgumentError(fmt::format(
        "Nodes were connected by a reference or resource connection (requiring them to be on the "
        "same device), but the two nodes were assigned two different devices: {}",
        Text(status)));
  }
  return absl::OkStatus();
}

bool MakesResource(const Node& node) {
  return node.tf_output_types().size() == 1 && IsReferenceOrResource(node.tf_output_types()[0]) &&
         std::ranges::none_of(node.tf_input_types(), IsReferenceOrResource);
}

void UniteColocated(const Graph& graph, Colocation* colocation, Problems* problems) {
  const std::vector<Node*> nodes = graph.op_nodes();
  for (const Node* node : nodes) {
    for (int i = 0; i < static_cast<int>(node->tf_input_types().size()); ++i) {
      if (!IsReferenceOrResource(node->tf_input_types()[i]) || !node->input(i)) continue;
      problems->Add(colocation->UniteAcross(*node->input(i).node, *node), node->name(),
                    node->op_name());
    }
  }
  const std::set<std::string> named = NamedGroups(graph);
  if (named.empty()) return;
  std::map<std::string, const Node*> first;  // of each group
  for (const Node* node : nodes) {
    for (const std::string& group : GroupsOf(*node)) {
      if (!named.contains(group)) continue;
      const auto [it, added] = first.emplace(group, node);
      if (added) continue;
      const absl::Status status = colocation->Unite(*node, *it->second);
      if (!colocation->soft()) problems->Add(status, node->name(), node->op_name());
    }
  }
}

}  // namespace linnet::converter
