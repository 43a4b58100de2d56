// SPDX-License-Identifier: Apache-2.0
// conv(Pad(x, 0 on H and W))     =>  conv(x) with larger pads       (Conv2D, DepthwiseConv2D)
// MaxPool(Pad(x, v on H and W))  =>  MaxPool(x) with pads < window  (v = -inf, or 0 and x >= 0)
// Pad(Pad(x, v), v)              =>  Pad(x, v)
// MaxPool ignores its own padding, which is the same as padding with a value that is never the
// maximum; hence zeros need an x that cannot be negative (such as a Relu). A Pad is never folded
// into an average pool, which divides by the number of elements without its own padding.
#include "converter/pass/passes.h"

#include <limits>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

constexpr int64_t kMaxPad = std::numeric_limits<int>::max() / 4;

// The Pad in front of `node` if it pads only H and W of NHWC, with one value.
Node* PictureBorder(const Node* node) {
  Node* pad = Producer<PadAttrs>(node->input(0));
  if (pad == nullptr || pad->type().shape.rank() != 4 || !pad->attrs().varying().empty())
    return nullptr;
  const auto& attrs = pad->attrs<PadAttrs>();
  if (attrs.mode != schema::PadMode::Constant) return nullptr;
  for (int axis : {0, 3})
    if (attrs.before[axis] != 0 || attrs.after[axis] != 0) return nullptr;
  for (int axis : {1, 2})
    if (attrs.before[axis] > kMaxPad || attrs.after[axis] > kMaxPad) return nullptr;
  return pad;
}

// Adds the border to `attrs`' own padding.
template <typename Attrs>
void AddBorder(const PadAttrs& pad, Attrs* attrs) {
  attrs->pad_top += static_cast<int>(pad.before[1]);
  attrs->pad_bottom += static_cast<int>(pad.after[1]);
  attrs->pad_left += static_cast<int>(pad.before[2]);
  attrs->pad_right += static_cast<int>(pad.after[2]);
}

template <typename ConvAttrs>
bool FoldIntoConv(Graph& graph, Node* conv) {
  Node* pad = PictureBorder(conv);
  if (pad == nullptr || pad->attrs<PadAttrs>().value != 0.0) return false;
  if (conv->attrs<ConvAttrs>().same) return false;
  AddBorder(pad->attrs<PadAttrs>(), &conv->mutable_attrs<ConvAttrs>());
  Rewire(graph, conv, 0, pad->input(0));
  return true;
}

bool FoldIntoMaxPool(Graph& graph, Node* pool) {
  Node* pad = PictureBorder(pool);
  Pool2DAttrs attrs = pool->attrs<Pool2DAttrs>();
  if (pad == nullptr || attrs.kind != schema::PoolKind::Max || !IsF32(pad->input(0))) return false;
  if (attrs.same) return false;
  const double value = pad->attrs<PadAttrs>().value;
  const bool is_never_maximum = value == -std::numeric_limits<double>::infinity() ||
                                (value == 0.0 && IsNonNegative(pad->input(0)));
  if (!is_never_maximum) return false;
  AddBorder(pad->attrs<PadAttrs>(), &attrs);
  // Every window must contain a real element, which padding below the window's size ensures.
  if (attrs.pad_top >= attrs.window_h || attrs.pad_bottom >= attrs.window_h) return false;
  if (attrs.pad_left >= attrs.window_w || attrs.pad_right >= attrs.window_w) return false;
  pool->mutable_attrs<Pool2DAttrs>() = attrs;
  Rewire(graph, pool, 0, pad->input(0));
  return true;
}

bool MergePads(Graph& graph, Node* outer) {
  Node* inner = Producer<PadAttrs>(outer->input(0));
  if (inner == nullptr || !inner->attrs().varying().empty() || !outer->attrs().varying().empty())
    return false;
  PadAttrs merged = outer->attrs<PadAttrs>();
  const auto& attrs = inner->attrs<PadAttrs>();
  if (merged.mode != schema::PadMode::Constant || merged.mode != attrs.mode ||
      merged.value != attrs.value)
    return false;
  for (int i = 0; i < merged.before.rank(); ++i) {
    merged.before[i] += attrs.before[i];
    merged.after[i] += attrs.after[i];
  }
  outer->mutable_attrs<PadAttrs>() = merged;
  Rewire(graph, outer, 0, inner->input(0));
  return true;
}

}  // namespace

absl::StatusOr<int> FoldPad(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->Is<PadAttrs>()) return MergePads(graph, node);
    if (node->Is<Conv2DAttrs>()) return FoldIntoConv<Conv2DAttrs>(graph, node);
    if (node->Is<DepthwiseConv2DAttrs>()) return FoldIntoConv<DepthwiseConv2DAttrs>(graph, node);
    if (node->Is<Pool2DAttrs>()) return FoldIntoMaxPool(graph, node);
    return false;
  });
}

}  // namespace linnet::converter
