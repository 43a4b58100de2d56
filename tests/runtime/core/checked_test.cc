// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/checked.h"

#include <gtest/gtest.h>

namespace linnet {
namespace {

TEST(CheckedAdd, WritesTheSum) {
  int64_t out = 0;
  EXPECT_TRUE(CheckedAdd(INT64_MAX - 1, 1, &out));
  EXPECT_EQ(out, INT64_MAX);
}

TEST(CheckedAdd, LeavesTheResultAloneOnOverflow) {
  int64_t out = 7;
  EXPECT_FALSE(CheckedAdd(INT64_MAX, 1, &out));
  EXPECT_FALSE(CheckedAdd(INT64_MIN, -1, &out));
  EXPECT_EQ(out, 7);
}

TEST(CheckedMul, WritesTheProduct) {
  int64_t out = 0;
  EXPECT_TRUE(CheckedMul(int64_t{1} << 31, int64_t{1} << 31, &out));
  EXPECT_EQ(out, int64_t{1} << 62);
  EXPECT_TRUE(CheckedMul(INT64_MAX, 0, &out));
  EXPECT_EQ(out, 0);
}

TEST(CheckedMul, LeavesTheResultAloneOnOverflow) {
  int64_t out = 7;
  EXPECT_FALSE(CheckedMul(int64_t{1} << 32, int64_t{1} << 31, &out));
  EXPECT_EQ(out, 7);
}

TEST(SaturatingMul, StopsAtTheLargestValue) {
  EXPECT_EQ(SaturatingMul(3, 5), 15);
  EXPECT_EQ(SaturatingMul(INT64_MAX, 0), 0);
  EXPECT_EQ(SaturatingMul(int64_t{1} << 40, int64_t{1} << 40), INT64_MAX);
}

TEST(AlignUp, GivesTheNextMultiple) {
  EXPECT_EQ(AlignUp(0, 64), 0);
  EXPECT_EQ(AlignUp(1, 64), 64);
  EXPECT_EQ(AlignUp(64, 64), 64);
  EXPECT_EQ(AlignUp(65, 1), 65);
  EXPECT_EQ(AlignUp(INT64_MAX - 1, 64), INT64_MAX);
  EXPECT_EQ(AlignUp(INT64_MAX, 64), INT64_MAX);
}

TEST(CeilDiv, RoundsUp) {
  EXPECT_EQ(CeilDiv(0, 4), 0);
  EXPECT_EQ(CeilDiv(1, 4), 1);
  EXPECT_EQ(CeilDiv(4, 4), 1);
  EXPECT_EQ(CeilDiv(5, 4), 2);
}

}  // namespace
}  // namespace linnet
