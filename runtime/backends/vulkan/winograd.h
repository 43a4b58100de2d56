// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/lowering.h"

// Conv2D with windows of 3 x 3 by Winograd's method (core/winograd.h).
namespace linnet::vulkan {

// Of Conv2D. The tiles of an image are processed in strips, so that the scratch memory stays small.
extern const ScratchForm kWinogradForm;

}  // namespace linnet::vulkan
