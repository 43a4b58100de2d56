// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pack_rows4.h"

#include <cstring>

#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {

void PackRows4(const TensorType& type, const void* dense, std::byte* to) {
  const Rows rows = RowsOf(type);
  const auto* from = static_cast<const std::byte*>(dense);
  const bool is_byte = DTypeBytes(type.dtype) == 1;
  const auto padding = static_cast<size_t>((rows.quads * 4 - rows.columns) * 4);
  for (int64_t row = 0; row < rows.count; ++row) {
    if (is_byte) {
      for (int64_t i = 0; i < rows.columns; ++i) {
        const auto word = static_cast<uint32_t>(from[i]);
        std::memcpy(to + 4 * i, &word, sizeof(word));
      }
      from += rows.columns;
    } else {
      std::memcpy(to, from, static_cast<size_t>(rows.columns * 4));
      from += rows.columns * 4;
    }
    std::memset(to + rows.columns * 4, 0, padding);
    to += rows.quads * 16;
  }
}

}  // namespace linnet::vulkan
