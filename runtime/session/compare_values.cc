// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/compare_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/core/half.h"

namespace linnet {
namespace {

struct Half {
  uint16_t bits;
};
double ToDouble(float value) { return value; }
double ToDouble(double value) { return value; }
double ToDouble(Half value) { return HalfToFloat(value.bits); }

// Calls `with` with a typed pointer to the floats; `otherwise` for other dtypes.
template <typename Result, typename With>
Result OfFloats(DType dtype, const void* values, Result otherwise, const With& with) {
  switch (dtype) {
    case DType::kFloat32:
      return with(static_cast<const float*>(values));
    case DType::kFloat64:
      return with(static_cast<const double*>(values));
    case DType::kFloat16:
      return with(static_cast<const Half*>(values));
    default:
      return otherwise;
  }
}

void Add(int64_t element, double got, double want, Difference* difference) {
  if (difference->count++ > 0) return;
  difference->element = element;
  difference->got = got;
  difference->want = want;
}

template <typename T>
Difference CompareFloats(const T* got, const T* want, int64_t count, double tolerance) {
  double magnitude = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = std::fabs(ToDouble(want[i]));
    if (std::isfinite(value)) magnitude = std::max(magnitude, value);
  }
  const double bound = tolerance * magnitude;
  double most = 0;
  Difference difference;
  for (int64_t i = 0; i < count; ++i) {
    const double a = ToDouble(got[i]), b = ToDouble(want[i]);
    if (!std::isfinite(b) && (std::isnan(b) || !std::isnan(a))) continue;
    const double distance = std::isfinite(a) && std::isfinite(b)
                                ? std::fabs(a - b)
                                : std::numeric_limits<double>::infinity();
    most = std::max(most, distance);
    if (distance > bound) Add(i, a, b, &difference);
  }
  difference.largest = most == 0 ? 0 : most / magnitude;
  return difference;
}

template <typename T>
Difference CompareIntegers(const void* got, const void* want, int64_t count) {
  const auto* a = static_cast<const T*>(got);
  const auto* b = static_cast<const T*>(want);
  Difference difference;
  for (int64_t i = 0; i < count; ++i)
    if (a[i] != b[i]) Add(i, static_cast<double>(a[i]), static_cast<double>(b[i]), &difference);
  return difference;
}

}  // namespace

Difference Compare(const TensorType& type, const void* got, const void* want, double tolerance) {
  const int64_t count = type.shape.num_elements();
  if (IsFloat(type.dtype))
    return OfFloats(type.dtype, got, Difference(), [&](const auto* a) {
      return CompareFloats(a, static_cast<decltype(a)>(want), count, tolerance);
    });
  switch (DTypeBytes(type.dtype)) {
    case 1:
      return type.dtype == DType::kInt8 ? CompareIntegers<int8_t>(got, want, count)
                                        : CompareIntegers<uint8_t>(got, want, count);
    case 2:
      return type.dtype == DType::kInt16 ? CompareIntegers<int16_t>(got, want, count)
                                         : CompareIntegers<uint16_t>(got, want, count);
    case 4:
      return CompareIntegers<int32_t>(got, want, count);
    default:
      return CompareIntegers<int64_t>(got, want, count);
  }
}

int64_t FindNan(const TensorType& type, const void* values, bool infinities) {
  return OfFloats(type.dtype, values, int64_t{-1}, [&](const auto* floats) {
    const int64_t count = type.shape.num_elements();
    for (int64_t i = 0; i < count; ++i) {
      const double value = ToDouble(floats[i]);
      if (std::isnan(value) || (infinities && std::isinf(value))) return i;
    }
    return int64_t{-1};
  });
}

}  // namespace linnet
