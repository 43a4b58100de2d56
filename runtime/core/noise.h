// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/shape.h"

namespace linnet {

// Where noise lies. Bytes of u8, which are images, are 0..255 and bools 0 or 1 in any case.
struct NoiseRange {
  float low = 0, high = 1;       // floats: uniform in [low, high)
  int64_t first = 0, count = 2;  // other integers: one of the `count` from `first` on
};

// Fills a dense tensor with numbers that depend only on `seed`, `stream` (which tensor it is) and
// the element's index.
void FillNoise(const TensorType& type, const NoiseRange& range, uint64_t seed, uint64_t stream,
               void* to);

// Changes each float by up to `part` of its magnitude, and each byte of an image by up to `part` of
// 255, at least 1, as `seed` and `stream` say. False, and nothing changes, for other dtypes.
bool Disturb(const TensorType& type, float part, uint64_t seed, uint64_t stream, void* values);

}  // namespace linnet
