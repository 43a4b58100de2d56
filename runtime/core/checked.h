// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Arithmetic on sizes that come from a file. Each returns false and leaves *out alone on overflow.
[[nodiscard]] inline bool CheckedAdd(int64_t a, int64_t b, int64_t* out) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return false;
  *out = sum;
  return true;
}

[[nodiscard]] inline bool CheckedMul(int64_t a, int64_t b, int64_t* out) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return false;
  *out = product;
  return true;
}

// Product of two sizes >= 0, or INT64_MAX on overflow.
constexpr int64_t SaturatingMul(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// The sum, or INT64_MAX or INT64_MIN on overflow.
constexpr int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

// Smallest multiple of `alignment` (a power of two) that is >= value >= 0, or INT64_MAX on
// overflow.
constexpr int64_t AlignUp(int64_t value, int64_t alignment) {
  return value > INT64_MAX - alignment ? INT64_MAX : (value + alignment - 1) & ~(alignment - 1);
}

// Bytes of `count` >= 0 objects, rounded up to a multiple of 64, or INT64_MAX on overflow.
template <typename T>
constexpr int64_t AlignedBytes(int64_t count) {
  return AlignUp(SaturatingMul(count, sizeof(T)), 64);
}

constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace linnet
