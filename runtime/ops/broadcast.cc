// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/broadcast.h"

#include <algorithm>

namespace linnet {

Status BroadcastShapes(const Shape& a, const Shape& b, Shape* out) {
  const int rank = std::max(a.rank(), b.rank());
  Shape result;
  for (int i = 0; i < rank; ++i) {
    const int axis_a = i - (rank - a.rank()), axis_b = i - (rank - b.rank());
    const int64_t da = axis_a < 0 ? 1 : a[axis_a], db = axis_b < 0 ? 1 : b[axis_b];
    if (da != db && da != 1 && db != 1)
      return {StatusCode::kInvalidPlan, "shapes do not broadcast: want equal extents or 1"};
    result.Append(da == 1 ? db : da);
  }
  *out = result;
  return {};
}

bool BroadcastsTo(const Shape& from, const Shape& to) {
  Shape both;
  return BroadcastShapes(from, to, &both).ok() && both == to;
}

}  // namespace linnet
