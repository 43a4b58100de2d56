// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/index_check.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/abi/index_check.h"

namespace linnet::vulkan {
namespace {

// Bad is what is outside of [0, count), or else what is inside.
void AddCheck(const OpInstance& op, int i, int64_t count, bool bad_inside, const char* message,
              Dispatches& dispatches) {
  const Rows rows = RowsOf(op.input(i));
  Dispatch& dispatch = dispatches.Add(Shader::k_index_check, rows.count * rows.quads);
  dispatch.Bind(Input(i));
  dispatch.Bind(StatusWord());
  dispatch.bad_index = message;
  dispatch.Push(IndexCheckPush{.quads = static_cast<uint>(rows.count * rows.quads),
                               .row_quads = static_cast<uint>(rows.quads),
                               .columns = static_cast<uint>(rows.columns),
                               .count = static_cast<uint>(count),
                               .bad_inside = bad_inside ? 1u : 0u});
}

}  // namespace

void AddIndexCheck(const OpInstance& op, int i, int64_t count, const char* message,
                   Dispatches& dispatches) {
  // No i32 is larger, and no i64 as the device has it.
  AddCheck(op, i, std::min(count, int64_t{1} << 31), false, message, dispatches);
}

void AddZeroCheck(const OpInstance& op, int i, const char* message, Dispatches& dispatches) {
  AddCheck(op, i, 1, true, message, dispatches);
}

bool HasBadIndex(const InputInfo& indices, int64_t count) {
  const int64_t bytes = DTypeBytes(indices.type.dtype);
  for (int64_t i = 0; i < indices.type.shape.num_elements(); ++i) {
    int64_t wide = 0;
    int32_t narrow = 0;
    const auto* at = static_cast<const std::byte*>(indices.value) + i * bytes;
    if (bytes == 8) {
      std::memcpy(&wide, at, sizeof(wide));
    } else {
      std::memcpy(&narrow, at, sizeof(narrow));
      wide = narrow;
    }
    if (wide < 0 || wide >= count) return true;
  }
  return false;
}

}  // namespace linnet::vulkan
