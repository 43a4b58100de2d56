// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/branch_contexts.h"

#include <algorithm>

#include "fmt/format.h"

namespace linnet::converter {

bool IsLoopPart(const Node& node) {
  if (IsLoopMerge(node)) return true;
  if (node.node_class() != NodeClass::kSwitch || node.num_inputs() != 2) return false;
  const Output predicate = SkipIdentities(node.input(1));
  return predicate && predicate.node->node_class() == NodeClass::kLoopCond;
}

BranchContexts::BranchContexts(const Frames& frames, int frame, const std::vector<Node*>& order,
                               Problems* problems)
    : frames_(frames), frame_(frame) {
  for (const Node* node : order) {
    int context = 0;
    if (node->node_class() == NodeClass::kMerge && !IsLoopPart(*node))
      context = LeaveMerge(*node, problems);
    else if (node->node_class() != NodeClass::kEnter)  // what it reads is in another frame
      context = Join(*node, problems);
    Set(node, context);
    const bool is_switch = node->node_class() == NodeClass::kSwitch && !IsLoopPart(*node);
    if ((is_switch || node->node_class() == NodeClass::kIdentity) && node->input(0))
      origins_[node->id()] = Origin(node->input(0));
    if (is_switch) EnterSwitch(*node, problems);
    if (problems->all().size() > kEnoughProblems) return;
  }
}

Output BranchContexts::Origin(Output value) const {
  const auto it = origins_.find(value.node->id());
  return it == origins_.end() ? value : it->second;
}

int BranchContexts::Of(const Node* node) const {
  const auto it = of_.find(node->id());
  return it == of_.end() ? 0 : it->second;
}

void BranchContexts::Set(const Node* node, int context) {
  if (context != 0) of_[node->id()] = context;
}

int BranchContexts::ForkAt(const Node* node) const {
  const auto it = at_.find(node->id());
  return it == at_.end() ? -1 : it->second.first;
}

int BranchContexts::SlotOf(const Node* merge, int branch) const {
  const int slot_if_true = at_.at(merge->id()).second;
  return branch == 1 ? slot_if_true : 1 - slot_if_true;
}

bool BranchContexts::IsWithin(int context, int outer) const {
  while (DepthOf(context) > DepthOf(outer)) context = fork(ForkOf(context)).base;
  return context == outer;
}

int BranchContexts::OfOutput(const Edge& edge) const {
  if (!frames_.IsIn(edge.src, frame_) || IsBackEdge(edge)) return 0;
  const int fork = ForkAt(edge.src);
  if (fork < 0 || edge.src->node_class() != NodeClass::kSwitch || edge.IsControlEdge())
    return Of(edge.src);
  return ContextOf(fork, edge.src_output);
}

std::string BranchContexts::Text(int context) const {
  if (context == 0) return "always";
  return fmt::format("where '{}' is {}", TensorName(fork(ForkOf(context)).predicate),
                     BranchOf(context) == 1 ? "true" : "false");
}

int BranchContexts::Join(const Node& node, Problems* problems) const {
  int joined = 0;
  for (const Edge* edge : node.in_edges()) {
    const int context = OfOutput(*edge);
    if (IsWithin(joined, context)) continue;
    if (!IsWithin(context, joined)) {
      problems->Add(node,
                    fmt::format("needs values that exist {} and {}", Text(joined), Text(context)),
                    kExportAsV2);
      return joined;
    }
    joined = context;
  }
  return joined;
}

void BranchContexts::EnterSwitch(const Node& node, Problems* problems) {
  if (node.op_name() == "_SwitchN")
    return problems->Add(node, "a switch of many ways is not supported", kExportAsV2);
  const int base = Of(&node);
  const Output predicate = Origin(node.input(1));
  const auto key = std::tuple(base, predicate.node->id(), predicate.index);
  const auto [it, added] = fork_index_.try_emplace(key, static_cast<int>(forks_.size()));
  if (added) forks_.push_back({base, predicate, DepthOf(base), &node});
  if (DepthOf(base) >= kMaxControlFlowDepth)
    problems->Add(node, fmt::format("is more than {} conditionals deep", kMaxControlFlowDepth));
  at_[node.id()] = {it->second, 0};
}

int BranchContexts::LeaveMerge(const Node& node, Problems* problems) {
  std::vector<int> contexts;
  for (const Edge* edge : node.in_edges())
    if (!edge->IsControlEdge()) {
      contexts.resize(std::max(contexts.size(), static_cast<size_t>(edge->dst_input) + 1), 0);
      contexts[static_cast<size_t>(edge->dst_input)] = OfOutput(*edge);
    }
  if (contexts.size() != 2) {
    problems->Add(node, fmt::format("merges {} values, want 2", contexts.size()), kExportAsV2);
    return 0;
  }
  // Where one input is a constant that has lost the control edge into its branch, the other input
  // says which one that was.
  const size_t inner = DepthOf(contexts[1]) > DepthOf(contexts[0]) ? 1 : 0;
  const int context = contexts[inner], other = contexts[1 - inner];
  const bool complementary =
      context != 0 && other != 0 && context != other && ForkOf(context) == ForkOf(other);
  if (!complementary && (context == 0 || !IsWithin(fork(ForkOf(context)).base, other))) {
    const auto from = [this](int branch) {
      return branch == 0 ? "outside of all branches" : "the branch " + Text(branch);
    };
    problems->Add(node,
                  fmt::format("its two inputs must come from the two branches of one Switch, but "
                              "come from: {}; {}",
                              from(contexts[0]), from(contexts[1])),
                  kExportAsV2);
    return 0;
  }
  const bool inner_is_true = BranchOf(context) == 1;
  at_[node.id()] = {ForkOf(context), static_cast<int>(inner_is_true ? inner : 1 - inner)};
  return fork(ForkOf(context)).base;
}

}  // namespace linnet::converter
