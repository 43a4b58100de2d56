// SPDX-License-Identifier: Apache-2.0
#include "converter/import/construction_order.h"

#include <set>
#include <string>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

bool IsNextIteration(const tf::NodeDef& def) {
  return def.op() == "NextIteration" || def.op() == "RefNextIteration";
}

// How many inputs of node `i` have to be constructed before it. A loop's Merge needs its control
// inputs and one data input.
int PendingCount(std::span<const RawNode> nodes, std::span<const std::vector<NodeInput>> inputs,
                 int i) {
  int pending = 0, controls = 0, there = 0;
  bool has_back_edge = false;
  for (const NodeInput& input : inputs[i]) {
    const bool is_control = input.slot == kControlSlot;
    if (input.existing != nullptr) {
      there += !is_control;
      continue;
    }
    ++pending;
    controls += is_control;
    has_back_edge |= !is_control && IsNextIteration(nodes[input.node].def);
  }
  if (has_back_edge && IsMerge(nodes[i].def)) return controls + (there == 0 ? 1 : 0);
  return pending;
}

}  // namespace

bool IsMerge(const tf::NodeDef& def) { return def.op() == "Merge" || def.op() == "RefMerge"; }

std::vector<int> ConstructionOrder(std::span<const RawNode> nodes,
                                   std::span<const std::vector<NodeInput>> inputs) {
  const int count = static_cast<int>(nodes.size());
  std::vector<int> pending(count);
  std::vector<std::vector<int>> users(count);
  std::set<int> ready;
  for (int i = 0; i < count; ++i) {
    pending[i] = PendingCount(nodes, inputs, i);
    for (const NodeInput& input : inputs[i])
      if (input.existing == nullptr) users[input.node].push_back(i);
    if (pending[i] == 0) ready.insert(i);
  }
  std::vector<int> order;
  order.reserve(nodes.size());
  while (!ready.empty()) {
    const int i = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(i);
    const bool is_next_iteration = IsNextIteration(nodes[i].def);
    for (const int user : users[i]) {
      if (is_next_iteration && IsMerge(nodes[user].def)) continue;
      if (--pending[user] == 0) ready.insert(user);
    }
  }
  return order;
}

absl::Status CycleError(std::span<const RawNode> nodes, std::span<const int> order) {
  constexpr size_t kMaxNames = 5;
  std::vector<bool> has_place(nodes.size());
  for (const int i : order) has_place[i] = true;
  std::vector<std::string> names;
  for (size_t i = 0; i < nodes.size() && names.size() < kMaxNames; ++i)
    if (!has_place[i]) names.push_back(fmt::format("'{}'", nodes[i].def.name()));
  const size_t count = nodes.size() - order.size();
  return absl::InvalidArgumentError(fmt::format("{} nodes in a cycle: {}{}", count,
                                                fmt::join(names, ", "),
                                                count > kMaxNames ? ", ..." : ""));
}

}  // namespace linnet::converter
