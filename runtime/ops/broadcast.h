// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/shape.h"
#include "runtime/core/status.h"

namespace linnet {

// numpy broadcasting: shapes are aligned at their last dimension, a missing dimension counts as 1,
// and two extents are compatible when they are equal or one of them is 1 (1 and 0 give 0).

// Writes the shape to which `a` and `b` broadcast; kInvalidPlan when they are not compatible.
// `out` may be &a or &b, so three shapes are two calls.
Status BroadcastShapes(const Shape& a, const Shape& b, Shape* out);

// True when `from` broadcasts to exactly `to`.
bool BroadcastsTo(const Shape& from, const Shape& to);

}  // namespace linnet
