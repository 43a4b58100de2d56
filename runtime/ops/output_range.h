// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "runtime/core/status.h"
#include "schema/ops_generated.h"

namespace linnet {

// The range to which a float op clamps its result: [0, inf] for a fused Relu, [0, 6] for Relu6. NaN
// stays NaN.
struct OutputRange {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();

  bool unbounded() const { return *this == OutputRange{}; }
  friend bool operator==(const OutputRange&, const OutputRange&) = default;
};

// `range` may be null (unbounded). kInvalidPlan unless min <= max and neither is NaN.
inline Status DecodeRange(const schema::Range* range, OutputRange* out) {
  *out = {};
  if (range == nullptr) return {};
  if (!(range->min() <= range->max()))
    return {StatusCode::kInvalidPlan, "output range: want min <= max, no NaN"};
  *out = {range->min(), range->max()};
  return {};
}

// What a plan stores for `range`: null when unbounded, else `storage`, which this fills in.
inline const schema::Range* EncodeRange(const OutputRange& range, schema::Range* storage) {
  if (range.unbounded()) return nullptr;
  *storage = schema::Range(range.min, range.max);
  return storage;
}

}  // namespace linnet
