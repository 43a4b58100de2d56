// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"

namespace linnet::converter {

// fn(T{}), where T is the C++ type that holds an element of `dtype`: for f16 its bits in a
// uint16_t, for bool a uint8_t. For kInvalid fn is not called; the result is value-initialised.
template <typename Fn>
auto WithElementType(DType dtype, const Fn& fn) {
  switch (dtype) {
    case DType::kFloat32:
      return fn(float{});
    case DType::kFloat64:
      return fn(double{});
    case DType::kFloat16:
    case DType::kUint16:
      return fn(uint16_t{});
    case DType::kInt32:
      return fn(int32_t{});
    case DType::kInt64:
      return fn(int64_t{});
    case DType::kUint8:
    case DType::kBool:
      return fn(uint8_t{});
    case DType::kInt8:
      return fn(int8_t{});
    case DType::kInt16:
      return fn(int16_t{});
    case DType::kInvalid:
      break;
  }
  return decltype(fn(float{}))();
}

}  // namespace linnet::converter
