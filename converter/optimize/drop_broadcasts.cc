// SPDX-License-Identifier: Apache-2.0
// op(BroadcastTo(x), y)                  =>  op(x, y)
// op(Tile(x), y), only extents of 1 tiled  =>  op(x, y)
// for ops that broadcast by themselves (Binary, Compare, Select, and the alpha of Prelu), when the
// result keeps its shape without the help. Exact. Other readers of the broadcast keep it.
#include "converter/pass/passes.h"

#include <algorithm>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

const Shape& ShapeOf(Output value) { return value.node->type(value.index).shape; }

// x for something that only repeats x as broadcasting would.
Output BroadcastSource(Output value) {
  if (const Node* broadcast = Producer<BroadcastToAttrs>(value)) return broadcast->input(0);
  const Node* tile = Producer<TileAttrs>(value);
  if (tile == nullptr) return {};
  const Shape& shape = ShapeOf(tile->input(0));
  const Shape& multiples = tile->attrs<TileAttrs>().multiples;
  for (int i = 0; i < shape.rank(); ++i)
    if (multiples[i] != 1 && (shape[i] != 1 || multiples[i] == 0)) return {};
  return tile->input(0);
}

bool Broadcasts(const Node* node, int slot) {
  return node->Has(kElementwise) && node->num_inputs() > 1 &&
         !(node->Is<PreluAttrs>() && slot == 0);
}

// The extent that input `value` asks for along `axis` of an output of rank `rank`.
int64_t ExtentAt(Output value, int axis, int rank) {
  const Shape& shape = ShapeOf(value);
  const int own = axis - (rank - shape.rank());
  return own < 0 ? 1 : shape[own];
}

// Do the other inputs and `replacement` in `slot` still broadcast to the output's shape?
bool KeepsShape(const Node* node, int slot, Output replacement) {
  const Shape& out = node->type().shape;
  int rank = ShapeOf(replacement).rank();
  for (int i = 0; i < node->num_inputs(); ++i)
    if (i != slot) rank = std::max(rank, ShapeOf(node->input(i)).rank());
  if (rank != out.rank()) return false;
  for (int axis = 0; axis < rank; ++axis) {
    bool reached = out[axis] == 1;
    for (int i = 0; i < node->num_inputs(); ++i)
      reached |= ExtentAt(i == slot ? replacement : node->input(i), axis, rank) == out[axis];
    if (!reached) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<int> DropBroadcasts(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (IsNearVarying(graph, *node)) return false;
    if (node->node_class() != NodeClass::kOp) return false;
    for (int slot = 0; slot < node->num_inputs(); ++slot) {
      if (!Broadcasts(node, slot)) continue;
      const Output source = BroadcastSource(node->input(slot));
      if (!source || !KeepsShape(node, slot, source)) continue;
      Rewire(graph, node, slot, source);
      return true;
    }
    return false;
  });
}

}  // namespace linnet::converter
