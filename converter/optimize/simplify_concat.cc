// SPDX-License-Identifier: Apache-2.0
// Concat(..., Concat(a, b), ...)  =>  Concat(..., a, b, ...), same axis, the inner one read once
// Concat(x, empty)                =>  Concat(x): inputs of extent 0 along the axis are dropped
// Concat(x[0:k], x[k:n])          =>  Concat(x[0:n]): neighbouring slices of one tensor are joined
#include "converter/pass/passes.h"

#include <vector>

#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

void SetInputs(Graph& graph, Node* node, const std::vector<Output>& inputs) {
  std::vector<int> old;
  for (const Output input : node->inputs()) old.push_back(input.node->id());
  graph.TruncateInputs(node, 0);
  for (size_t i = 0; i < inputs.size(); ++i) graph.SetInput(node, static_cast<int>(i), inputs[i]);
  RemoveUnused(graph, old);
}

bool SpliceInner(Graph& graph, Node* concat) {
  const int axis = concat->attrs<ConcatAttrs>().axis;
  std::vector<Output> inputs;
  std::vector<const Node*> spliced;
  for (const Output input : concat->inputs()) {
    Node* inner = Producer<ConcatAttrs>(input);
    if (inner != nullptr && inner->attrs<ConcatAttrs>().axis == axis && HasSingleUse(inner)) {
      for (const Output part : inner->inputs()) inputs.push_back(part);
      spliced.push_back(inner);
    } else {
      inputs.push_back(input);
    }
  }
  if (spliced.empty() || inputs.size() > static_cast<size_t>(kMaxOpInputs)) return false;
  for (const Node* inner : spliced) StandFor(*inner, concat);
  SetInputs(graph, concat, inputs);
  return true;
}

bool DropEmpty(Graph& graph, Node* concat) {
  const int axis = concat->attrs<ConcatAttrs>().axis;
  std::vector<Output> inputs = concat->inputs();
  std::erase_if(inputs, [axis](Output input) { return TypeOf(input).shape[axis] == 0; });
  if (inputs.empty()) inputs.push_back(concat->input(0));
  if (inputs.size() == static_cast<size_t>(concat->num_inputs())) return false;
  SetInputs(graph, concat, inputs);
  return true;
}

// Is `b` the part of the same tensor that follows `a` along `axis`?
bool Adjoins(const Node* a, const Node* b, int axis) {
  if (a == nullptr || b == nullptr || a->input(0) != b->input(0)) return false;
  const auto& first = a->attrs<SliceAttrs>();
  const auto& second = b->attrs<SliceAttrs>();
  for (int i = 0; i < first.begin.rank(); ++i) {
    if (first.stride[i] != second.stride[i]) return false;
    if (i == axis) continue;
    if (first.begin[i] != second.begin[i] || first.size[i] != second.size[i]) return false;
  }
  return second.begin[axis] == first.begin[axis] + first.size[axis] * first.stride[axis];
}

absl::StatusOr<bool> JoinSlices(Graph& graph, Node* concat) {
  const int axis = concat->attrs<ConcatAttrs>().axis;
  std::vector<Output> inputs = concat->inputs();
  for (size_t i = 0; i + 1 < inputs.size(); ++i) {
    Node* a = Producer<SliceAttrs>(inputs[i]);
    Node* b = Producer<SliceAttrs>(inputs[i + 1]);
    if (!Adjoins(a, b, axis)) continue;
    SliceAttrs joined = a->attrs<SliceAttrs>();
    joined.size[axis] += b->attrs<SliceAttrs>().size[axis];
    absl::StatusOr<Output> slice = AddOpLike(graph, *a, "joined", joined, {a->input(0)});
    if (!slice.ok()) return slice.status();
    StandFor(*b, slice->node);
    inputs[i] = *slice;
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    SetInputs(graph, concat, inputs);
    return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<int> SimplifyConcat(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<ConcatAttrs>() || IsNearVarying(graph, *node)) return false;
    if (SpliceInner(graph, node) || DropEmpty(graph, node)) return true;
    return JoinSlices(graph, node);
  });
}

}  // namespace linnet::converter
