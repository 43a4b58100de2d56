// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/cast.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/core/half.h"
#include "runtime/core/stack.h"

// Every dtype belongs to one of four wide types (f32, f64, i32, i64). A cast goes from the source
// to its wide type, from there to the target's wide type, and to the target: 12 conversions between
// wide types instead of 90 between all.
namespace linnet::kernels {
namespace {

constexpr int64_t kBlock = kStackElements;

DType Wide(DType dtype) {
  if (IsNarrow(dtype)) return DType::kInt32;
  return dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
}

template <typename From, typename To>
inline To ConvertOne(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Exact in both float types; the negative bound itself converts.
    constexpr From kLow = static_cast<From>(std::numeric_limits<To>::min());
    const bool fits = x >= kLow && x < -kLow;
    const To y = static_cast<To>(fits ? x : From{0});
    return fits ? y : std::numeric_limits<To>::min();
  } else {
    return static_cast<To>(x);
  }
}

template <typename From, typename To>
void Convert(const void* in, int64_t count, void* out) {
  const From* from = static_cast<const From*>(in);
  To* to = static_cast<To*>(out);
  for (int64_t i = 0; i < count; ++i) to[i] = ConvertOne<From, To>(from[i]);
}

template <typename T>
void IsNonZero(const void* in, int64_t count, void* out) {
  const T* from = static_cast<const T*>(in);
  uint8_t* to = static_cast<uint8_t*>(out);
  for (int64_t i = 0; i < count; ++i) to[i] = from[i] != T{0};
}

using Conversion = void (*)(const void* in, int64_t count, void* out);

template <typename From>
Conversion FindFrom(DType to) {
  switch (to) {
    case DType::kFloat32:
      return Convert<From, float>;
    case DType::kFloat64:
      return Convert<From, double>;
    case DType::kInt32:
      return Convert<From, int32_t>;
    case DType::kInt64:
      return Convert<From, int64_t>;
    default:
      return IsNonZero<From>;
  }
}

// `from` is wide; `to` is wide or bool.
Conversion Find(DType from, DType to) {
  switch (from) {
    case DType::kFloat32:
      return FindFrom<float>(to);
    case DType::kFloat64:
      return FindFrom<double>(to);
    case DType::kInt32:
      return FindFrom<int32_t>(to);
    default:
      return FindFrom<int64_t>(to);
  }
}

// Elements of `from` as its wide type; `wide` is used only when they are not wide already.
const void* Load(DType from, const void* in, int64_t count, void* wide) {
  if (IsNarrow(from)) {
    WidenToInt32(from, in, count, static_cast<int32_t*>(wide));
    return wide;
  }
  if (from != DType::kFloat16) return in;
  const auto* half = static_cast<const uint16_t*>(in);
  auto* out = static_cast<float*>(wide);
  for (int64_t i = 0; i < count; ++i) out[i] = HalfToFloat(half[i]);
  return wide;
}

void Store(const void* wide, DType to, int64_t count, void* out) {
  if (IsNarrow(to)) return NarrowFromInt32(static_cast<const int32_t*>(wide), to, count, out);
  if (to != DType::kFloat16) {
    std::memmove(out, wide, count * DTypeBytes(to));
    return;
  }
  const auto* value = static_cast<const float*>(wide);
  auto* half = static_cast<uint16_t*>(out);
  for (int64_t i = 0; i < count; ++i) half[i] = FloatToHalf(value[i]);
}

}  // namespace

void WidenToInt32(DType from, const void* in, int64_t count, int32_t* out) {
  switch (from) {
    case DType::kInt8:
      return Convert<int8_t, int32_t>(in, count, out);
    case DType::kUint16:
      return Convert<uint16_t, int32_t>(in, count, out);
    case DType::kInt16:
      return Convert<int16_t, int32_t>(in, count, out);
    default:
      return Convert<uint8_t, int32_t>(in, count, out);
  }
}

void NarrowFromInt32(const int32_t* in, DType to, int64_t count, void* out) {
  if (DTypeBytes(to) == 1) return Convert<int32_t, uint8_t>(in, count, out);
  return Convert<int32_t, uint16_t>(in, count, out);
}

void Cast(DType from, const void* in, DType to, int64_t count, void* out) {
  const int64_t in_bytes = DTypeBytes(from), out_bytes = DTypeBytes(to);
  if (from == to) {
    if (in != out) std::memcpy(out, in, count * in_bytes);
    return;
  }
  const DType source = Wide(from), target = to == DType::kBool ? DType::kBool : Wide(to);
  const Conversion convert = source == target ? nullptr : Find(source, target);
  // The blocks also make the cast safe in place: a block is read before it is written.
  alignas(16) uint8_t loaded[kBlock * 8], converted[kBlock * 8];
  const auto* read = static_cast<const uint8_t*>(in);
  auto* write = static_cast<uint8_t*>(out);
  const bool direct = convert != nullptr && target == to && in != out;
  while (count > 0) {
    const int64_t n = std::min(count, kBlock);
    const void* wide = Load(from, read, n, loaded);
    if (direct) {
      convert(wide, n, write);
    } else {
      if (convert != nullptr) {
        convert(wide, n, converted);
        wide = converted;
      }
      if (to == DType::kBool)
        std::memcpy(write, wide, n);
      else
        Store(wide, to, n, write);
    }
    read += n * in_bytes;
    write += n * out_bytes;
    count -= n;
  }
}

}  // namespace linnet::kernels
