// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/shape.h"

namespace linnet {

// The elements in which two dense tensors of one type differ too much.
struct Difference {
  int64_t count = 0;
  int64_t element = -1;  // the first of them; -1: there is none
  double got = 0, want = 0;
  // Floats: the largest difference of all elements, as a part of the largest finite magnitude in
  // `want`; infinite where `got` is not finite although it should be.
  double largest = 0;
};

// Floats may differ by `tolerance` of the largest finite magnitude in `want`. `got` must not be NaN
// where `want` is not; where `want` is not finite, nothing else is compared. Other elements must be
// equal.
Difference Compare(const TensorType& type, const void* got, const void* want, double tolerance);

// The first float that is NaN (with `infinities`: not finite), -1 when there is none.
int64_t FindNan(const TensorType& type, const void* values, bool infinities);

}  // namespace linnet
