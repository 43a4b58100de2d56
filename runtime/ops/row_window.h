// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Which rows of a picture NHWC (dimension 1) a window op reads: row y of its output needs rows
// [y * stride - pad, y * stride - pad + size) of input 0, of which those outside the picture are
// padding.
struct RowWindow {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad = 0;
  // Whoever computes some rows of the output gets the same bits as whoever computes all where they
  // begin at a multiple of this, and end at one or at the last row.
  int64_t multiple = 1;
};

}  // namespace linnet
