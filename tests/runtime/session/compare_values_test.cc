// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/compare_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/core/half.h"

namespace linnet {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The first element that differs too much, -1 for none.
template <typename T>
int64_t FirstDifference(const std::vector<T>& got, const std::vector<T>& want,
                        DType dtype = DTypeOf<T>()) {
  const TensorType type{dtype, {static_cast<int64_t>(want.size())}};
  return Compare(type, got.data(), want.data(), 1e-3).element;
}

TEST(CompareValues, FloatsDifferByAPartOfTheLargest) {
  EXPECT_EQ(FirstDifference<float>({1, -1000, 0}, {0, -1000, 1}), -1);
  EXPECT_EQ(FirstDifference<float>({1, -1000, 0}, {0, -1000, 1.1f}), 2);
  EXPECT_EQ(FirstDifference<float>({2, -1000, 0}, {0, -1000, 0}), 0);
  EXPECT_EQ(FirstDifference<double>({0, 0}, {0, 1e-300}), 1);
  EXPECT_EQ(FirstDifference<float>({0, 0}, {0, 0}), -1);
  EXPECT_EQ(FirstDifference<float>({0, 1e-9f}, {0, 0}), 1);
  EXPECT_EQ(FirstDifference<float>({}, {}), -1);
  const float got[] = {1, 2, 3}, want[] = {1, 1, 1};
  EXPECT_EQ(Compare({DType::kFloat32, {3}}, got, want, 1e-3).count, 2);
}

TEST(CompareValues, LargestDifference) {
  const auto largest = [](const std::vector<float>& got, const std::vector<float>& want) {
    return Compare({DType::kFloat32, {3}}, got.data(), want.data(), 0.5).largest;
  };
  EXPECT_EQ(largest({1, 2, 3}, {1, 2, -4}), 7.0 / 4);
  EXPECT_EQ(largest({1, 3, 3}, {1, 2, 4}), 1.0 / 4) << "also where it is allowed";
  EXPECT_EQ(largest({1, 2, 4}, {1, 2, 4}), 0);
  EXPECT_EQ(largest({0, 0, 0}, {0, 0, 0}), 0);
  EXPECT_EQ(largest({1, 2, kNan}, {1, 2, 4}), kInfinity);
  EXPECT_EQ(largest({1, 2, 4}, {1, 2, kInfinity}), 0) << "that is not compared";
}

TEST(CompareValues, Halves) {
  const auto half = [](float value) { return FloatToHalf(value); };
  EXPECT_EQ(
      FirstDifference<uint16_t>({half(1), half(1000)}, {half(2), half(1000)}, DType::kFloat16), -1);
  EXPECT_EQ(FirstDifference<uint16_t>({half(1), half(1000)}, {half(2), half(900)}, DType::kFloat16),
            0);
}

TEST(CompareValues, WhatIsNotFinite) {
  EXPECT_EQ(FirstDifference<float>({1, kNan}, {1, 1}), 1);
  EXPECT_EQ(FirstDifference<float>({1, kInfinity}, {1, 1}), 1);
  EXPECT_EQ(FirstDifference<float>({1, kNan}, {1, kInfinity}), 1);
  EXPECT_EQ(FirstDifference<float>({1, 7}, {1, kInfinity}), -1) << "no backend promises infinity";
  EXPECT_EQ(FirstDifference<float>({1, 7}, {1, kNan}), -1);
  // It makes nothing else less strict.
  EXPECT_EQ(FirstDifference<float>({2, kInfinity}, {1, kInfinity}), 0);
}

TEST(CompareValues, OtherElementsAreEqual) {
  EXPECT_EQ(FirstDifference<int32_t>({1, 1000000}, {1, 1000001}), 1);
  EXPECT_EQ(FirstDifference<int64_t>({1, 1, int64_t{1} << 60}, {1, 1, 0}), 2);
  EXPECT_EQ(FirstDifference<uint8_t>({200, 3}, {200, 3}), -1);
  EXPECT_EQ(FirstDifference<uint8_t>({1, 0}, {1, 1}, DType::kBool), 1);
  EXPECT_EQ(FirstDifference<int8_t>({-1}, {1}), 0);
  EXPECT_EQ(FirstDifference<int16_t>({-1}, {1}), 0);
  EXPECT_EQ(FirstDifference<uint16_t>({1}, {1}), -1);
  const int8_t got = -1, want = 1;
  const Difference difference = Compare({DType::kInt8, {}}, &got, &want, 1);
  EXPECT_EQ(difference.got, -1);
  EXPECT_EQ(difference.want, 1);
}

TEST(CompareValues, FindNan) {
  const float values[] = {1, kInfinity, kNan};
  const TensorType type{DType::kFloat32, {3}};
  EXPECT_EQ(FindNan(type, values, false), 2);
  EXPECT_EQ(FindNan(type, values, true), 1);
  EXPECT_EQ(FindNan({DType::kFloat32, {1}}, values, true), -1);
  EXPECT_EQ(FindNan({DType::kInt32, {3}}, values, true), -1) << "integers have none";
}

}  // namespace
}  // namespace linnet
