// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pack_rows4.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/core/half.h"

namespace linnet::vulkan {
namespace {

TEST(PackRows4, PadsRowsAndWidensBytes) {
  const uint8_t bytes[] = {1, 2, 3, 250, 5, 255};
  uint32_t words[8];
  std::memset(words, 0xff, sizeof(words));
  PackRows4(Layout::kRows4, {DType::kUint8, {2, 3}}, bytes, reinterpret_cast<std::byte*>(words));
  EXPECT_EQ(std::vector<uint32_t>(words, words + 8),
            (std::vector<uint32_t>{1, 2, 3, 0, 250, 5, 255, 0}));
  const float scalar = 7;
  float quad[4] = {9, 9, 9, 9};
  PackRows4(Layout::kRows4, {DType::kFloat32, {}}, &scalar, reinterpret_cast<std::byte*>(quad));
  EXPECT_EQ(std::vector<float>(quad, quad + 4), (std::vector<float>{7, 0, 0, 0}));
}

TEST(PackRows4, KeepsTheNearestOfWideIntegers) {
  constexpr int64_t kMost = INT32_MAX, kLeast = INT32_MIN;
  const int64_t values[] = {-1, kMost, kMost + 1, kLeast, kLeast - 1, INT64_MIN};
  for (const Layout layout : {Layout::kRows4, Layout::kRows4Half}) {
    int32_t words[8];
    std::memset(words, 0xff, sizeof(words));
    PackRows4(layout, {DType::kInt64, {2, 3}}, values, reinterpret_cast<std::byte*>(words));
    EXPECT_EQ(
        std::vector<int32_t>(words, words + 8),
        (std::vector<int32_t>{-1, INT32_MAX, INT32_MAX, 0, INT32_MIN, INT32_MIN, INT32_MIN, 0}));
  }
}

TEST(PackRows4, KeepsFloatsInHalves) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float values[] = {1.0f,     -0.1f, 70000.0f, -kInfinity, 5.96e-8f,
                          65504.0f, 65519, 1.0f / 3, 1e-9f,      -2049.0f};
  uint16_t halves[16];
  std::memset(halves, 0xff, sizeof(halves));
  PackRows4(Layout::kRows4Half, {DType::kFloat32, {2, 5}}, values,
            reinterpret_cast<std::byte*>(halves));
  EXPECT_EQ(std::vector<uint16_t>(halves, halves + 16),
            (std::vector<uint16_t>{0x3c00, 0xae66, 0x7bff, 0xfbff, 0x0001, 0, 0, 0,  //
                                   0x7bff, 0x7bff, 0x3555, 0x0000, 0xe800, 0, 0, 0}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  uint16_t quad[4];
  PackRows4(Layout::kRows4Half, {DType::kFloat32, {}}, &nan, reinterpret_cast<std::byte*>(quad));
  EXPECT_GT(quad[0] & 0x7fff, 0x7c00);
}

TEST(PackRows4, RoundsToTheNearestHalf) {
  uint32_t bits = 0;
  for (int i = 0; i < 1 << 20; ++i) {
    bits += 4099;  // all exponents, both signs
    const float value = std::bit_cast<float>(bits);
    uint16_t half = 0;
    PackFloats(Layout::kRows4Half, &value, 1, reinterpret_cast<std::byte*>(&half));
    const uint16_t want = FloatToHalf(std::clamp(value, -65504.0f, 65504.0f));
    ASSERT_EQ(half, want) << value;
  }
}

TEST(PackRows4, KeepsIntegersAsTheyAre) {
  const int32_t values[] = {1, -2, 3};
  int32_t quad[4] = {9, 9, 9, 9};
  PackRows4(Layout::kRows4Half, {DType::kInt32, {3}}, values, reinterpret_cast<std::byte*>(quad));
  EXPECT_EQ(std::vector<int32_t>(quad, quad + 4), (std::vector<int32_t>{1, -2, 3, 0}));
}

}  // namespace
}  // namespace linnet::vulkan
