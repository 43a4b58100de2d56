// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/core/shape.h"

namespace linnet::vulkan {

// Writes a dense tensor in kRows4: BytesIn(Layout::kRows4, type) bytes.
void PackRows4(const TensorType& type, const void* dense, std::byte* to);

}  // namespace linnet::vulkan
