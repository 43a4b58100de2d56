// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/match_repeats.h"

#include <algorithm>

#include "converter/optimize/match.h"

namespace linnet::converter {

using Extents = SymbolicShapes::Extents;

bool SameExtents(const Graph& graph, const Extents& a, const Extents& b) {
  return std::ranges::equal(
      a, b, [&](const Extent& x, const Extent& y) { return graph.shapes().symbols().Equal(x, y); });
}

namespace {

// x, where `value` repeats dimension `d` of x, which is 1: by Tile, BroadcastTo or Concat; else
// empty.
Output BeforeRepetition(const Graph& graph, Output value, size_t d) {
  const Node* node = value.node;
  if (!node->Is<TileAttrs>() && !node->Is<BroadcastToAttrs>() && !node->Is<ConcatAttrs>())
    return {};
  const Output x = node->input(0);
  for (int i = 1; node->Is<ConcatAttrs>() && i < node->num_inputs(); ++i)
    if (node->input(i) != x) return {};
  const Extents of_x = graph.ExtentsOf(x);
  Extents of_value = graph.ExtentsOf(value);
  if (of_x.size() != of_value.size() || d >= of_x.size()) return {};
  of_value[d] = Extent(1);
  return SameExtents(graph, of_x, of_value) ? x : Output{};
}

}  // namespace

Shaped WithoutRepeats(const Graph& graph, Output value, size_t d) {
  if (const Output x = BeforeRepetition(graph, value, d)) return AsItIs(x);
  // x [.., G, ..], once [.., G, 1, ..], repeated [.., G, n, ..], value [.., G n, ..].
  const Node* merge = Producer<ReshapeAttrs>(value);
  const Output once = merge == nullptr ? Output{} : BeforeRepetition(graph, merge->input(0), d + 1);
  const Node* split = Producer<ReshapeAttrs>(once);
  if (split == nullptr) return AsItIs(value);
  Extents of_value = graph.ExtentsOf(value), of_x = graph.ExtentsOf(once);
  if (of_x.size() != of_value.size() + 1) return AsItIs(value);
  const auto one = static_cast<std::ptrdiff_t>(d) + 1;
  of_x.erase(of_x.begin() + one);
  of_value[d] = of_x[d];
  if (!SameExtents(graph, of_x, of_value)) return AsItIs(value);
  const Output x = split->input(0);
  if (SameExtents(graph, of_x, graph.ExtentsOf(x))) return AsItIs(x);
  if (!AllConstant(of_x)) return AsItIs(value);
  Shape shape;
  for (const Extent& extent : of_x) shape.Append(graph.shapes().symbols().Max(extent));
  return {x, shape};
}

}  // namespace linnet::converter
