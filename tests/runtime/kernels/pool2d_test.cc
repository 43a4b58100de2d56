// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pool2d.h"

#include <gtest/gtest.h>

namespace linnet::kernels {
namespace {

// An untrusted plan may have windows that are larger than any picture: 2^30 by 2^30 taps for 16
// outputs are 2^64.
TEST(Pool2D, WindowsMuchLargerThanThePicture) {
  constexpr int64_t kWindow = int64_t{1} << 30;
  const Pool2DShape shape = {.batch = 1,
                             .in_h = 2,
                             .in_w = 2,
                             .channels = 1,
                             .out_h = 1,
                             .out_w = 16,
                             .window_h = kWindow,
                             .window_w = kWindow,
                             .stride_h = 1,
                             .stride_w = 1,
                             .pad_top = 0,
                             .pad_left = 15};
  const float in[] = {1, 2, 3, 6};
  float out[16];
  AveragePool2D(shape, in, -100.0f, 100.0f, out, {});
  for (const float value : out) EXPECT_EQ(value, 3.0f);
  MaxPool2D(shape, in, -100.0f, 100.0f, out, {});
  for (const float value : out) EXPECT_EQ(value, 6.0f);
}

}  // namespace
}  // namespace linnet::kernels
