// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pack_rows4.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace linnet::vulkan {
namespace {

TEST(PackRows4, PadsRowsAndWidensBytes) {
  const uint8_t bytes[] = {1, 2, 3, 250, 5, 255};
  uint32_t words[8];
  std::memset(words, 0xff, sizeof(words));
  PackRows4({DType::kUint8, {2, 3}}, bytes, reinterpret_cast<std::byte*>(words));
  EXPECT_EQ(std::vector<uint32_t>(words, words + 8),
            (std::vector<uint32_t>{1, 2, 3, 0, 250, 5, 255, 0}));
  const float scalar = 7;
  float quad[4] = {9, 9, 9, 9};
  PackRows4({DType::kFloat32, {}}, &scalar, reinterpret_cast<std::byte*>(quad));
  EXPECT_EQ(std::vector<float>(quad, quad + 4), (std::vector<float>{7, 0, 0, 0}));
}

}  // namespace
}  // namespace linnet::vulkan
