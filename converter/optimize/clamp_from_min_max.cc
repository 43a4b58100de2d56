// SPDX-License-Identifier: Apache-2.0
// Maximum(x, c)  =>  Clamp(x, [c, inf])     (f32, c uniform)
// Minimum(x, c)  =>  Clamp(x, [-inf, c])
// Exact, NaN included: Maximum, Minimum and Clamp all keep a NaN of x. A NaN constant is left
// alone, and so is a constant that enlarges x.
#include "converter/pass/passes.h"

#include <cmath>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

absl::StatusOr<int> ClampFromMinMax(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    const bool maximum = IsBinary(node, BinaryKind::Maximum);
    if (!maximum && !IsBinary(node, BinaryKind::Minimum)) return false;
    const WithConstant parts = SplitSameType(node);
    if (!parts) return false;
    const std::optional<float> bound = Splat(parts.constant);
    if (!bound || std::isnan(*bound)) return false;
    ClampAttrs attrs;
    (maximum ? attrs.range.min : attrs.range.max) = *bound;
    return ReplaceWithOp(graph, node, attrs, {parts.value});
  });
}

}  // namespace linnet::converter
