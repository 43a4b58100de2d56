// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pack_rows4.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/half.h"

namespace linnet::vulkan {
namespace {

// What stays NaN, and is never infinite, as STORE of shaders/linnet.glsl.
uint16_t FiniteHalf(float value) { return FloatToHalf(std::clamp(value, -65504.0f, 65504.0f)); }

void PackBytes(const std::byte* from, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) {
    const auto word = static_cast<uint32_t>(from[i]);
    std::memcpy(to + 4 * i, &word, sizeof(word));
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
    else
      std::memcpy(to, from, static_cast<size_t>(used));
    std::memset(to + used, 0, static_cast<size_t>(row_bytes - used));
    from += rows.columns * dense_element;
    to += row_bytes;
  }
}

}  // namespace linnet::vulkan
