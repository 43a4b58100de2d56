// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tensor_summary.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace linnet::tools {
namespace {

template <typename T>
std::string Text(linnet_dtype dtype, const std::vector<int64_t>& dims, const std::vector<T>& data) {
  linnet_tensor_info info{};
  info.dtype = dtype;
  info.rank = static_cast<int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), info.dims);
  return SummaryText(info, Summarize(info, data.data()));
}

TEST(TensorSummary, AShortTensorIsShownWhole) {
  EXPECT_EQ(Text<float>(LINNET_FLOAT32, {1, 3}, {0.25f, -1.5f, 1e-7f}),
            "f32[1,3]  {0.25, -1.5, 1e-07}");
  EXPECT_EQ(Text<int32_t>(LINNET_INT32, {}, {-123456789}), "i32[]  {-123456789}");
  EXPECT_EQ(Text<uint8_t>(LINNET_BOOL, {2}, {1, 0}), "bool[2]  {1, 0}");
  EXPECT_EQ(Text<float>(LINNET_FLOAT32, {0, 3}, {}), "f32[0,3]  empty");
}

TEST(TensorSummary, OfARowTheLargestElements) {
  std::vector<int64_t> values(9);
  std::iota(values.begin(), values.end(), 10);
  values[2] = 99;
  values[7] = 99;
  EXPECT_EQ(Text(LINNET_INT64, {1, 1, 9}, values),
            "i64[1,1,9]  10..99  largest: 2 (99), 7 (99), 8 (18), 6 (16), 5 (15)");
  EXPECT_EQ(Text(LINNET_INT64, {3, 3}, values), "i64[3,3]  10..99");
}

TEST(TensorSummary, NanIsNoNumber) {
  std::vector<double> values(9, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Text(LINNET_FLOAT64, {9}, values), "f64[9]  9 are NaN");
  values[4] = -2;
  values[5] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Text(LINNET_FLOAT64, {9}, values),
            "f64[9]  -2..inf  7 are NaN  largest: 5 (inf), 4 (-2)");
}

}  // namespace
}  // namespace linnet::tools
