// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/shape.h"
#include "runtime/core/status.h"

namespace linnet {

// numpy broadcasting: shapes are aligned at their last dimension, a missing dimension counts as 1,
// and two extents go together when they are equal or one of them is 1 (which 0 wins over too).

// Writes the shape that `a` and `b` broadcast to; kInvalidPlan when they do not go together.
// `out` may be &a or &b, so three shapes are two calls.
Status BroadcastShapes(const Shape& a, const Shape& b, Shape* out);

// True when `from` broadcasts to exactly `to`.
bool BroadcastsTo(const Shape& from, const Shape& to);

}  // namespace linnet
