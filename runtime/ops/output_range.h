// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "runtime/core/status.h"
#include "schema/ops_generated.h"

namespace linnet {

// Range that a float op clamps its result to: a fused Relu is [0, inf], Relu6 is [0, 6]. NaN stays.
struct OutputRange {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();

  bool unbounded() const { return *this == OutputRange{}; }
  friend bool operator==(const OutputRange&, const OutputRange&) = default;
};

// `range` may be null (unbounded). min <= max, neither NaN.
inline Status DecodeRange(const schema::Range* range, OutputRange* out) {
  *out = {};
  if (range == nullptr) return {};
  if (!(range->min() <= range->max()))
    return {StatusCode::kInvalidPlan, "output range: want min <= max, no NaN"};
  *out = {range->min(), range->max()};
  return {};
}

// What to store for `range`: null when unbounded, else `storage`, filled in.
inline const schema::Range* EncodeRange(const OutputRange& range, schema::Range* storage) {
  if (range.unbounded()) return nullptr;
  *storage = schema::Range(range.min, range.max);
  return storage;
}

}  // namespace linnet
