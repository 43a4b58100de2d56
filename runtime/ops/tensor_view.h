// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/shape.h"

namespace linnet {

// A dense tensor in memory, as the portable ops get it. Owns nothing.
struct TensorView {
  TensorType type;
  void* data = nullptr;

  const Shape& shape() const { return type.shape; }
  DType dtype() const { return type.dtype; }
  int64_t num_elements() const { return type.shape.num_elements(); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

}  // namespace linnet
