// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// op(BroadcastTo(x), y)                  =>  op(x, y)
// op(Tile(x), y), only extents of 1 tiled  =>  op(x, y)
// for ops that broadcast by themselves (Binary, Compare, Select, and the alpha of Prelu), when the
// result keeps its shape without the help. Exact. Other readers of the broadcast keep it.
absl::StatusOr<int> DropBroadcasts(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
