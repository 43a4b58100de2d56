// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/lowering.h"

// Conv2D with windows of 3 x 3 by Winograd's method: the output is made in tiles of n x n pixels,
// each from (n + 2) x (n + 2) pixels of the input. Of each channel of a tile's input,
// Transform(line) of all its columns and then of all its rows gives (n + 2)^2 values; the filter is
// transformed likewise, when it is packed. Each of these values, over all tiles and channels, is a
// matrix, and the sums over the channels are products of such matrices: (n + 2)^2 multiplications
// for n^2 pixels instead of 9 n^2. Another transform turns the products of a tile into its pixels.
//
// The filter's transform is that of core/winograd.h.
namespace linnet::vulkan {

// Of Conv2D. The tiles of an image are processed in strips, so that the scratch memory stays small.
extern const ScratchForm kWinogradForm;

}  // namespace linnet::vulkan
