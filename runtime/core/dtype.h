// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

namespace linnet {

// Element types. Values equal schema DType in schema/plan.fbs. Append only.
enum class DType : uint8_t {
  kInvalid = 0,
  kFloat32 = 1,
  kFloat16 = 2,
  kInt32 = 3,
  kInt64 = 4,
  kUint8 = 5,
  kInt8 = 6,
  kBool = 7,  // one byte, 0 or 1
  kInt16 = 8,
  kUint16 = 9,
  kFloat64 = 10,
};
inline constexpr int kNumDTypes = 11;

// Bytes of one element; 0 for kInvalid and unknown values.
constexpr int64_t DTypeBytes(DType dtype) {
  switch (dtype) {
    case DType::kUint8:
    case DType::kInt8:
    case DType::kBool:
      return 1;
    case DType::kFloat16:
    case DType::kInt16:
    case DType::kUint16:
      return 2;
    case DType::kFloat32:
    case DType::kInt32:
      return 4;
    case DType::kInt64:
    case DType::kFloat64:
      return 8;
    case DType::kInvalid:
      break;
  }
  return 0;
}

// "f32", "i64", ... ("invalid" for unknown values).
constexpr const char* DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "f32";
    case DType::kFloat16:
      return "f16";
    case DType::kInt32:
      return "i32";
    case DType::kInt64:
      return "i64";
    case DType::kUint8:
      return "u8";
    case DType::kInt8:
      return "i8";
    case DType::kBool:
      return "bool";
    case DType::kInt16:
      return "i16";
    case DType::kUint16:
      return "u16";
    case DType::kFloat64:
      return "f64";
    case DType::kInvalid:
      break;
  }
  return "invalid";
}

constexpr bool IsFloat(DType d) {
  return d == DType::kFloat32 || d == DType::kFloat16 || d == DType::kFloat64;
}
constexpr bool IsInteger(DType d) {
  return d == DType::kInt32 || d == DType::kInt64 || d == DType::kUint8 || d == DType::kInt8 ||
         d == DType::kInt16 || d == DType::kUint16;
}

// The DType of a C++ element type. (f16 is handled as uint16_t bits: see core/half.h.)
template <typename T>
constexpr DType DTypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return DType::kFloat32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::kFloat64;
  else if constexpr (std::is_same_v<T, int32_t>)
    return DType::kInt32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return DType::kInt64;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return DType::kUint8;
  else if constexpr (std::is_same_v<T, int8_t>)
    return DType::kInt8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return DType::kInt16;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return DType::kUint16;
  else if constexpr (std::is_same_v<T, bool>)
    return DType::kBool;
  else
    return DType::kInvalid;
}

}  // namespace linnet
