// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// op(x)  =>  x where op gives its input unchanged:
//   x * 1, x / 1, x ** 1, x + 0, x - 0, x && true, x || false; Select with a constant condition;
//   Clamp without bounds, or within the range that its producer keeps already;
//   Cast to the same dtype; Resize, BroadcastTo, Reshape, Slice to the same shape; Pad by nothing;
//   Tile by ones; Transpose that moves nothing; Reduce over no axis; Concat of one;
//   DepthToSpace and SpaceToDepth by 1.
// The type must stay the same. x + (+0.0) turns -0.0 into 0.0, so strict algebra keeps it (x - 0.0
// and x + (-0.0) are exact).
absl::StatusOr<int> DropCopies(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
