// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "runtime/core/half.h"

namespace linnet {
namespace {

template <typename T>
std::vector<T> Noise(DType dtype, const NoiseRange& range, uint64_t stream = 0) {
  std::vector<T> values(1000);
  FillNoise({dtype, {10, 100}}, range, 0, stream, values.data());
  return values;
}

TEST(Noise, FloatsAreInTheRange) {
  const NoiseRange range{.low = 0.5f, .high = 2};
  const std::vector<float> floats = Noise<float>(DType::kFloat32, range);
  for (const float value : floats) {
    EXPECT_GE(value, 0.5f);
    EXPECT_LT(value, 2);
  }
  EXPECT_LT(*std::min_element(floats.begin(), floats.end()), 0.55f);
  EXPECT_GT(*std::max_element(floats.begin(), floats.end()), 1.95f);
  const std::vector<double> doubles = Noise<double>(DType::kFloat64, range);
  EXPECT_TRUE(std::equal(floats.begin(), floats.end(), doubles.begin()));
  const std::vector<uint16_t> halves = Noise<uint16_t>(DType::kFloat16, range);
  EXPECT_EQ(halves[7], FloatToHalf(floats[7]));
}

TEST(Noise, IntegersAreInTheRange) {
  const NoiseRange range{.first = -1, .count = 3};
  const auto set = [&](const auto& values) {
    return std::set<int64_t>(values.begin(), values.end());
  };
  EXPECT_EQ(set(Noise<int32_t>(DType::kInt32, range)), (std::set<int64_t>{-1, 0, 1}));
  EXPECT_EQ(set(Noise<int64_t>(DType::kInt64, range)), (std::set<int64_t>{-1, 0, 1}));
  EXPECT_EQ(set(Noise<int16_t>(DType::kInt16, range)), (std::set<int64_t>{-1, 0, 1}));
  EXPECT_EQ(set(Noise<int8_t>(DType::kInt8, range)), (std::set<int64_t>{-1, 0, 1}));
  EXPECT_EQ(set(Noise<uint8_t>(DType::kBool, range)), (std::set<int64_t>{0, 1}));
  EXPECT_GT(set(Noise<uint8_t>(DType::kUint8, range)).size(), 200u);
  EXPECT_EQ(set(Noise<int32_t>(DType::kInt32, {.first = 5, .count = 1})), (std::set<int64_t>{5}));
}

TEST(Noise, Disturbed) {
  std::vector<float> floats = Noise<float>(DType::kFloat32, {});
  const std::vector<float> before = floats;
  const TensorType type{DType::kFloat32, {1000}};
  EXPECT_TRUE(Disturb(type, 0.01f, 1, 0, floats.data()));
  float most = 0;
  for (size_t i = 0; i < floats.size(); ++i)
    most = std::max(most, std::abs(floats[i] - before[i]) / before[i]);
  EXPECT_GT(most, 0.0095f);
  EXPECT_LT(most, 0.0101f);
  std::vector<float> other = before;
  EXPECT_TRUE(Disturb(type, 0.01f, 2, 0, other.data()));
  EXPECT_NE(other, floats);
  int32_t number = 3;
  EXPECT_FALSE(Disturb({DType::kInt32, {1}}, 1, 1, 0, &number));
  EXPECT_EQ(number, 3);
}

TEST(Noise, DisturbedBytes) {
  const std::vector<uint8_t> before = Noise<uint8_t>(DType::kUint8, {});
  const auto changes = [&](float part) {
    std::vector<uint8_t> bytes = before;
    EXPECT_TRUE(Disturb({DType::kUint8, {1000}}, part, 1, 0, bytes.data()));
    std::set<int> all;
    for (size_t i = 0; i < bytes.size(); ++i) all.insert(bytes[i] - before[i]);
    return all;
  };
  EXPECT_EQ(changes(0), (std::set<int>{-1, 0, 1}));
  EXPECT_EQ(changes(0.01f), (std::set<int>{-2, -1, 0, 1, 2}));
  EXPECT_GT(*changes(2).rbegin(), 200);  // and none wraps around
}

TEST(Noise, StreamsDiffer) {
  EXPECT_EQ(Noise<float>(DType::kFloat32, {}), Noise<float>(DType::kFloat32, {}));
  EXPECT_NE(Noise<float>(DType::kFloat32, {}), Noise<float>(DType::kFloat32, {}, 1));
}

}  // namespace
}  // namespace linnet
