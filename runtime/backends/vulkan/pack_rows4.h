// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/layout.h"

namespace linnet::vulkan {

// What the host writes for the device, in kRows4 or kRows4Half.

constexpr int64_t FloatBytes(Layout layout) { return ElementBytes(layout, DType::kFloat32); }

// Writes `count` floats, FloatBytes(layout) each.
void PackFloats(Layout layout, const float* values, int64_t count, std::byte* to);

// Writes a dense tensor: BytesIn(layout, type) bytes.
void PackRows4(Layout layout, const TensorType& type, const void* dense, std::byte* to);

}  // namespace linnet::vulkan
