// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/control_flow_frames.h"

#include <algorithm>

#include "converter/graph/algorithm.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr int kMaxIdentities = 16;

}  // namespace

bool IsControlFlow(const Node& node) {
  using enum NodeClass;
  const NodeClass c = node.node_class();
  return c == kSwitch || c == kMerge || c == kEnter || c == kExit || c == kNextIteration ||
         c == kLoopCond;
}

bool IsBackEdge(const Edge& edge) {
  return edge.src->node_class() == NodeClass::kNextIteration &&
         edge.dst->node_class() == NodeClass::kMerge;
}

bool IsWait(const Edge* edge) { return edge->IsControlEdge() && edge->src->IsOp(); }

std::vector<Node*> WaitsOf(const Node& node) {
  std::vector<Node*> awaited;
  for (const Edge* edge : node.in_edges())
    if (IsWait(edge)) awaited.push_back(edge->src);
  return awaited;
}

bool IsLoopMerge(const Node& node) {
  return node.node_class() == NodeClass::kMerge &&
         std::ranges::any_of(node.in_edges(), [](const Edge* e) { return IsBackEdge(*e); });
}

Output SkipIdentities(Output value) {
  for (int i = 0; i < kMaxIdentities && value; ++i) {
    if (value.node->node_class() != NodeClass::kIdentity || !value.node->input(0)) break;
    if (std::ranges::any_of(value.node->in_edges(), IsWait)) break;
    value = value.node->input(0);
  }
  return value;
}

Frames::Frames(const Graph& graph, Problems* problems)
    : frames_(1), of_(static_cast<size_t>(graph.num_node_ids()), 0) {
  const std::vector<Node*> order = TopologicalOrder(graph);
  for (int round = 0; round <= kMaxControlFlowDepth; ++round) {
    Problems found;
    moved_ = false;
    if (!Assign(order, &found) && round < kMaxControlFlowDepth) continue;
    for (const Problem& problem : found.all()) problems->Add(problem);
    break;
  }
  for (Node* node : order)
    if (node->node_class() == NodeClass::kLoopCond && Of(node) == 0)
      PlaceCondition(*node, problems);
  if (moved_) problems->Add(Problem{.reason = "the loops of the graph do not nest"});
  for (Node* node : order) frames_[Of(node)].nodes.push_back(node);
}

int Frames::Depth(int frame) const {
  int depth = 0;
  for (; frame != 0; frame = (*this)[frame].parent) ++depth;
  return depth;
}

void Frames::Add(Node* node, int frame) {
  of_.resize(std::max(of_.size(), static_cast<size_t>(node->id()) + 1), 0);
  of_[node->id()] = frame;
  frames_[frame].nodes.push_back(node);
}

bool Frames::IsAncestor(int ancestor, int frame) const {
  while (frame != ancestor && frame != 0) frame = (*this)[frame].parent;
  return frame == ancestor;
}

// The innermost frame that `node` reads from.
int Frames::Join(const Node& node, Problems* problems) const {
  int joined = 0;
  const Node* witness = nullptr;
  for (const Edge* edge : node.in_edges()) {
    if (edge->src->IsSource() || IsBackEdge(*edge)) continue;
    const int inner = Of(edge->src);
    const bool leaves = edge->src->node_class() == NodeClass::kExit;
    const int frame = leaves ? (*this)[inner].parent : inner;
    if (IsAncestor(frame, joined)) continue;
    if (!IsAncestor(joined, frame)) {
      problems->Add(node,
                    fmt::format("has inputs from different frames: '{}' in '{}', '{}' in '{}'",
                                witness->name(), (*this)[joined].name, edge->src->name(),
                                (*this)[frame].name));
      return joined;
    }
    joined = frame;
    witness = edge->src;
  }
  return joined;
}

int Frames::FrameEntered(const Node& enter, int parent, Problems* problems) {
  const tf::AttrValue* name = enter.FindAttr("frame_name");
  if (name == nullptr || name->s().empty()) {
    problems->Add(enter, fmt::format("Enter node '{}' must have a frame name", enter.name()));
    return parent;
  }
  const auto [it, added] = by_name_.try_emplace(name->s(), num_frames());
  const int frame = it->second;
  if (added) {
    frames_.push_back({name->s(), parent, {}});
  } else if (IsAncestor(frame, parent)) {
    problems->Add(enter, fmt::format("enters the frame '{}' from inside of it", name->s()));
  } else if (const int known = (*this)[frame].parent; !IsAncestor(parent, known)) {
    // Enters of constants may come first: they are in no frame themselves.
    if (IsAncestor(known, parent)) {
      frames_[frame].parent = parent;
      moved_ = true;
    } else {
      problems->Add(enter, fmt::format("enters the frame '{}' from '{}', others do from '{}'",
                                       name->s(), (*this)[parent].name, (*this)[known].name));
    }
  }
  if (Depth(frame) > kMaxControlFlowDepth)
    problems->Add(enter, fmt::format("is more than {} loops deep", kMaxControlFlowDepth));
  return frame;
}

// A condition that is a constant without control edges is in the loop of what it switches.
void Frames::PlaceCondition(const Node& condition, Problems* problems) {
  int frame = -1;
  for (const Edge* edge : condition.out_edges()) {
    if (!edge->dst->IsOp()) continue;
    frame = frame < 0 || frame == Of(edge->dst) ? Of(edge->dst) : 0;
    if (frame == 0) break;
  }
  if (frame <= 0) return problems->Add(condition, "is in no loop");
  of_[condition.id()] = frame;
}

bool Frames::Assign(const std::vector<Node*>& order, Problems* problems) {
  for (const Node* node : order) {
    int frame = Join(*node, problems);
    using enum NodeClass;
    const NodeClass c = node->node_class();
    if (c == kEnter)
      frame = FrameEntered(*node, frame, problems);
    else if (frame == 0 && (c == kExit || c == kNextIteration))
      problems->Add(*node, "is in no loop");
    of_[node->id()] = frame;
    if (problems->all().size() > kEnoughProblems) break;
  }
  return !moved_;
}

}  // namespace linnet::converter
