// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/compare_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace linnet::cli {
namespace {

template <typename T>
Comparison Compare(linnet_dtype dtype, const std::vector<T>& a, const std::vector<T>& b,
                   double tolerance = 1e-4) {
  const auto data = [&](const std::vector<T>& values) {
    linnet_tensor_info info{};
    info.dtype = dtype;
    info.rank = 1;
    info.dims[0] = static_cast<int64_t>(values.size());
    info.bytes = static_cast<int64_t>(values.size() * sizeof(T));
    return TensorData{info, values.data()};
  };
  return CompareTensors(data(a), data(b), tolerance);
}

TEST(CompareTensors, FloatsMayDifferByAPartOfTheLargest) {
  const Comparison near = Compare<float>(LINNET_FLOAT32, {100, 0.009f}, {100, 0});
  EXPECT_EQ(near.different, 0);
  EXPECT_NEAR(near.worst, 9e-5, 1e-6);
  const Comparison far = Compare<float>(LINNET_FLOAT32, {100, 0.011f}, {100, 0});
  EXPECT_EQ(far.different, 1);
  EXPECT_NE(far.text.find("element 1: 0.01"), std::string::npos) << far.text;
}

TEST(CompareTensors, NanAndInfinityEqualThemselves) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  EXPECT_EQ(Compare<float>(LINNET_FLOAT32, {inf, -nan, 1}, {inf, nan, 1}).different, 0);
  EXPECT_EQ(Compare<float>(LINNET_FLOAT32, {inf, 1, 2}, {-inf, nan, 2}).different, 2);
  EXPECT_EQ(Compare<float>(LINNET_FLOAT32, {0.0f}, {-0.0f}).different, 0);
}

TEST(CompareTensors, IntegersMustBeEqual) {
  const int64_t large = int64_t{1} << 60;
  EXPECT_EQ(Compare<int64_t>(LINNET_INT64, {large, 5}, {large + 1, 5}).different, 1);
  EXPECT_EQ(Compare<uint8_t>(LINNET_UINT8, {7}, {7}).different, 0);
}

TEST(CompareTensors, ShowsAFewElements) {
  const Comparison all =
      Compare<int32_t>(LINNET_INT32, std::vector<int32_t>(100, 1), std::vector<int32_t>(100, 2));
  EXPECT_EQ(all.different, 100);
  EXPECT_EQ(std::count(all.text.begin(), all.text.end(), '\n'), 9) << all.text;
}

TEST(CompareTensors, OtherShapesDifferWholly) {
  const Comparison longer = Compare<float>(LINNET_FLOAT32, {1, 2}, {1, 2, 3});
  EXPECT_EQ(longer.different, 3);
  EXPECT_NE(longer.text.find("shapes differ"), std::string::npos);
}

TEST(CompareTensors, NothingEqualsNothing) {
  EXPECT_EQ(Compare<float>(LINNET_FLOAT32, {}, {}).different, 0);
}

}  // namespace
}  // namespace linnet::cli
