// SPDX-License-Identifier: Apache-2.0
// Slice(Slice(x))       =>  Slice(x)
// Slice(Concat(a, b))   =>  a, b or a Slice of it, when the slice lies within one part
// Slice(Pad(x))         =>  Slice(x), when the slice takes nothing of the border
// Strides multiply and may be negative.
#include "converter/pass/passes.h"

#include <algorithm>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

bool IsEmpty(const Node* slice) { return slice->type().shape.num_elements() == 0; }

bool MergeSlices(Graph& graph, Node* outer) {
  Node* inner = Producer<SliceAttrs>(outer->input(0));
  if (inner == nullptr || IsEmpty(outer)) return false;
  const auto& first = inner->attrs<SliceAttrs>();
  SliceAttrs merged = outer->attrs<SliceAttrs>();
  for (int i = 0; i < merged.begin.rank(); ++i) {
    merged.begin[i] = first.begin[i] + merged.begin[i] * first.stride[i];
    merged.stride[i] *= first.stride[i];
  }
  outer->mutable_attrs<SliceAttrs>() = merged;
  Rewire(graph, outer, 0, inner->input(0));
  return true;
}

// The smallest and the largest position that the slice reads along `axis`.
struct Span {
  int64_t first, last;
};
Span ReadSpan(const SliceAttrs& attrs, int axis) {
  const int64_t end = attrs.begin[axis] + (attrs.size[axis] - 1) * attrs.stride[axis];
  return {std::min(attrs.begin[axis], end), std::max(attrs.begin[axis], end)};
}

bool SliceOfConcat(Graph& graph, Node* slice) {
  Node* concat = Producer<ConcatAttrs>(slice->input(0));
  if (concat == nullptr || IsEmpty(slice)) return false;
  const int axis = concat->attrs<ConcatAttrs>().axis;
  const Span span = ReadSpan(slice->attrs<SliceAttrs>(), axis);
  int64_t start = 0;
  for (int i = 0; i < concat->num_inputs(); ++i) {
    const Output part = concat->input(i);
    const int64_t extent = TypeOf(part).shape[axis];
    if (span.first >= start && span.last < start + extent) {
      slice->mutable_attrs<SliceAttrs>().begin[axis] -= start;
      Rewire(graph, slice, 0, part);
      return true;
    }
    start += extent;
  }
  return false;
}

bool SliceOfPad(Graph& graph, Node* slice) {
  Node* pad = Producer<PadAttrs>(slice->input(0));
  if (pad == nullptr || IsEmpty(slice)) return false;
  SliceAttrs attrs = slice->attrs<SliceAttrs>();
  const Output x = pad->input(0);
  const Shape& shape = TypeOf(x).shape;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t before = pad->attrs<PadAttrs>().before[i];
    const Span span = ReadSpan(attrs, i);
    if (span.first < before || span.last >= before + shape[i]) return false;
    attrs.begin[i] -= before;
  }
  slice->mutable_attrs<SliceAttrs>() = attrs;
  Rewire(graph, slice, 0, x);
  return true;
}

}  // namespace

absl::StatusOr<int> SimplifySlice(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    return node->Is<SliceAttrs>() && !IsNearVarying(graph, *node) &&
           (MergeSlices(graph, node) || SliceOfConcat(graph, node) || SliceOfPad(graph, node));
  });
}

}  // namespace linnet::converter
