// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pack_rows4.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

// FloatToHalf, but what is beyond the largest half becomes that one, as by STORE of
// shaders/linnet.glsl. Without branches, so that compilers make vector instructions of it: it packs
// all weights of a model.
uint16_t FiniteHalf(float value) {
  constexpr int32_t kInfinity = 0x7f800000, kLargest = 0x477fe000, kSmallestNormal = 0x38800000;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto given = static_cast<int32_t>(bits & 0x7fffffffu);
  const int32_t magnitude = given > kLargest ? kLargest : given;
  const int32_t normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - (112 << 23)) >> 13;
  // The sum's last bit is 2^-24, that of subnormal halves.
  const int32_t subnormal =
      std::bit_cast<int32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  const int32_t number = magnitude < kSmallestNormal ? subnormal : normal;
  const int32_t half = given > kInfinity ? 0x7e00 : number;
  return static_cast<uint16_t>(half | static_cast<int32_t>(bits >> 16 & 0x8000u));
}

void PackBytes(const std::byte* from, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) {
    const auto word = static_cast<uint32_t>(from[i]);
    std::memcpy(to + 4 * i, &word, sizeof(word));
  }
}

void PackWideIntegers(const std::byte* from, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t wide;
    std::memcpy(&wide, from + 8 * i, sizeof(wide));
    const auto nearest = static_cast<int32_t>(std::clamp<int64_t>(wide, INT32_MIN, INT32_MAX));
    std::memcpy(to + 4 * i, &nearest, sizeof(nearest));
  }
}

}  // namespace

void PackFloats(Layout layout, const float* values, int64_t count, std::byte* to) {
  if (layout != Layout::kRows4Half) {
    std::memcpy(to, values, static_cast<size_t>(count) * sizeof(float));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const uint16_t half = FiniteHalf(values[i]);
    std::memcpy(to + 2 * i, &half, sizeof(half));
  }
}

void PackRows4(Layout layout, const TensorType& type, const void* dense, std::byte* to) {
  const Rows rows = RowsOf(type);
  const auto* from = static_cast<const std::byte*>(dense);
  const int64_t element = ElementBytes(layout, type.dtype), dense_element = DTypeBytes(type.dtype);
  const int64_t used = rows.columns * element, row_bytes = rows.quads * 4 * element;
  for (int64_t row = 0; row < rows.count; ++row) {
    if (type.dtype == DType::kFloat32)
      PackFloats(layout, reinterpret_cast<const float*>(from), rows.columns, to);
    else if (dense_element == 1)
      PackBytes(from, rows.columns, to);
    else if (dense_element == 8)
      PackWideIntegers(from, rows.columns, to);
    else
      std::memcpy(to, from, static_cast<size_t>(used));
    std::memset(to + used, 0, static_cast<size_t>(row_bytes - used));
    from += rows.columns * dense_element;
    to += row_bytes;
  }
}

}  // namespace linnet::vulkan
