// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/crop_and_resize.h"

#include <gtest/gtest.h>

#include <vector>

namespace linnet::kernels {
namespace {

// Beyond 2^24 a float can represent only every second pixel number; that of the last pixel is
// rounded up to one behind it.
TEST(CropAndResize, StaysInPicturesBeyond2To24) {
  constexpr int64_t kPixels = (int64_t{1} << 24) + 4;  // the last is 2^24 + 3, as float 2^24 + 4
  std::vector<float> picture(kPixels + 1, 1.0f);
  picture.back() = 7.0f;  // not a pixel of the picture
  const float box[] = {0, 0, 1, 1};
  const int32_t index = 0;
  for (const bool wide : {true, false}) {
    for (const bool nearest : {true, false}) {
      CropJob job{};
      job.batch = job.boxes = job.channels = 1;
      job.in_h = wide ? 1 : kPixels;
      job.in_w = wide ? kPixels : 1;
      job.crop_h = wide ? 1 : 3;
      job.crop_w = wide ? 3 : 1;
      job.extrapolation = -1.0f;
      job.nearest = nearest;
      float out[3] = {};
      ASSERT_TRUE(CropAndResize(job, picture.data(), box, &index, out, Parallel()));
      for (const float value : out) EXPECT_EQ(value, 1.0f);
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
