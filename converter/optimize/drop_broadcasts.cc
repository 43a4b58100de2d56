// SPDX-License-Identifier: Apache-2.0
// op(BroadcastTo(x), y)                    =>  op(x, y)
// op(Tile(x), y), only extents of 1 tiled  =>  op(x, y)
// for ops that broadcast by themselves (Binary, Compare, Select, and the alpha of Prelu), when the
// result has the same shape without the explicit broadcast. Exact. Other readers of the broadcast
// keep it.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "runtime/ops/broadcast.h"

namespace linnet::converter {
namespace {

// x for an op that repeats x only as broadcasting does.
Output BroadcastSource(Output value) {
  if (const Node* broadcast = Producer<BroadcastToAttrs>(value)) return broadcast->input(0);
  const Node* tile = Producer<TileAttrs>(value);
  if (tile == nullptr) return {};
  const Shape& shape = TypeOf(tile->input(0)).shape;
  const Shape& multiples = tile->attrs<TileAttrs>().multiples;
  for (int i = 0; i < shape.rank(); ++i)
    if (multiples[i] != 1 && (shape[i] != 1 || multiples[i] == 0)) return {};
  return tile->input(0);
}

bool Broadcasts(const Node* node, int slot) {
  return node->Has(kElementwise) && node->num_inputs() > 1 &&
         !(node->Is<PreluAttrs>() && slot == 0);
}

// Do the other inputs and `replacement` in `slot` still broadcast to the output's shape?
bool KeepsShape(const Node* node, int slot, Output replacement) {
  Shape shape = TypeOf(replacement).shape;
  for (int i = 0; i < node->num_inputs(); ++i)
    if (i != slot && !BroadcastShapes(shape, TypeOf(node->input(i)).shape, &shape).ok())
      return false;
  return shape == node->type().shape;
}

}  // namespace

absl::StatusOr<int> DropBroadcasts(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->node_class() != NodeClass::kOp || IsNearVarying(graph, *node)) return false;
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
