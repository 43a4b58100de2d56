// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

// out[i] = start + delta + ... (i times), for i < count. Floats accumulate one delta at a time,
// with its rounding, as TensorFlow does. Integers wrap.
template <typename T>
void Range(T start, T delta, int64_t count, T* out, const Parallel& parallel) {
  T value = start;
  InParts(parallel, 0, count, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      out[i] = value;
      if constexpr (std::is_floating_point_v<T>) {
        value += delta;
      } else {
        using Unsigned = std::make_unsigned_t<T>;
        value = static_cast<T>(static_cast<Unsigned>(value) + static_cast<Unsigned>(delta));
      }
    }
  });
}

}  // namespace linnet::kernels
