// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/strided_copy.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <vector>

namespace linnet::vulkan {
namespace {

// The source's elements in the order in which `what` names them.
std::vector<int64_t> Addresses(const CopyDims& what) {
  std::vector<int64_t> result = {what.from};
  for (int i = 0; i < what.count; ++i) {
    std::vector<int64_t> next;
    for (const int64_t at : result)
      for (int64_t k = 0; k < what.dims[i].extent; ++k)
        next.push_back(at + k * what.dims[i].stride);
    result = next;
  }
  return result;
}

// The same of a plan, by the meaning of the shader's push constants.
std::vector<int64_t> Addresses(const StridedCopy& copy) {
  CopyDims dims{.from = copy.push.from};
  for (uint i = copy.rank; i > 0; --i)
    dims.Append(copy.push.extent[i - 1], copy.push.stride[i - 1]);
  return Addresses(dims);
}

void ExpectConsistent(const StridedCopy& copy) {
  const StridedCopyPush& push = copy.push;
  ASSERT_GE(copy.rank, 1u);
  ASSERT_LE(copy.rank, static_cast<uint>(kMaxShaderRank));
  EXPECT_EQ(push.row_quads, (push.columns + 3) / 4);
  EXPECT_EQ(push.quads % push.row_quads, 0u);
  EXPECT_EQ(push.quads / push.row_quads * push.columns, Addresses(copy).size());
  // Rows follow each other.
  EXPECT_EQ(push.to_row, push.row_quads);
  EXPECT_EQ(push.block_rows, push.quads / push.row_quads);
  if (copy.mode != kCopySpread) {
    EXPECT_EQ(push.extent[0], push.columns);
  }
  if (copy.mode != kCopyQuads) return;
  EXPECT_EQ(push.stride[0], 1);
  EXPECT_EQ(push.from % 4, 0);
  for (uint i = 1; i < copy.rank; ++i) EXPECT_EQ(push.stride[i] % 4, 0);
}

CopyDims Dims(int row_dims, int64_t from, std::vector<CopyDim> dims) {
  CopyDims result{.row_dims = row_dims, .from = from};
  for (const CopyDim& dim : dims) result.Append(dim.extent, dim.stride);
  return result;
}

struct Case {
  const char* name;
  CopyDims what;
  int64_t columns;
  bool keep_rows;
  uint mode, rank, plan_columns;
};

// Names the parameter in gtest's messages.
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class StridedCopyCases : public testing::TestWithParam<Case> {};

TEST_P(StridedCopyCases, HasTheModeAndTheDimensionsOfACheapCopy) {
  const Case& test = GetParam();
  StridedCopy copy;
  ASSERT_EQ(PlanStridedCopy(test.what, test.columns, test.keep_rows, &copy), nullptr);
  ExpectConsistent(copy);
  EXPECT_EQ(copy.mode, test.mode);
  EXPECT_EQ(copy.rank, test.rank);
  EXPECT_EQ(copy.push.columns, test.plan_columns);
  EXPECT_EQ(Addresses(copy), Addresses(test.what));
}

INSTANTIATE_TEST_SUITE_P(
    , StridedCopyCases,
    testing::Values(
        Case{"scalar", Dims(1, 0, {}), 1, false, kCopyQuads, 1, 1},
        Case{"ones", Dims(1, 0, {{1, 7}, {1, 9}}), 1, false, kCopyQuads, 1, 1},
        // Without padding, all of a tensor is one row.
        Case{"whole", Dims(1, 0, {{3, 40}, {5, 8}, {8, 1}}), 8, false, kCopyQuads, 1, 120},
        Case{"whole_in_rows", Dims(1, 0, {{15, 8}, {8, 1}}), 8, true, kCopyQuads, 2, 8},
        Case{"padded_rows", Dims(1, 0, {{3, 40}, {5, 8}, {7, 1}}), 7, false, kCopyQuads, 2, 7},
        Case{"unaligned_begin", Dims(1, 3, {{5, 8}, {4, 1}}), 4, false, kCopyElements, 2, 4},
        Case{"aligned_begin", Dims(1, 4, {{5, 8}, {4, 1}}), 4, false, kCopyQuads, 2, 4},
        Case{"matrix_transposed", Dims(1, 0, {{7, 1}, {5, 8}}), 5, false, kCopyElements, 2, 5},
        Case{"heads_transposed", Dims(1, 0, {{3, 8}, {7, 24}, {8, 1}}), 8, false, kCopyQuads, 3, 8},
        Case{"reversed", Dims(1, 6, {{7, -1}}), 7, false, kCopyElements, 1, 7},
        Case{"rows_reversed", Dims(1, 24, {{4, -8}, {6, 1}}), 6, false, kCopyQuads, 2, 6},
        Case{"repeated_column", Dims(1, 0, {{4, 4}, {5, 0}}), 5, false, kCopyElements, 2, 5},
        Case{"repeated_row", Dims(2, 0, {{6, 4}, {4, 0}, {3, 1}}), 12, false, kCopySpread, 3, 12},
        Case{"repeated_quads", Dims(2, 0, {{6, 8}, {4, 0}, {8, 1}}), 32, false, kCopyQuads, 3, 8},
        Case{"rows_of_one", Dims(1, 0, {{6, 4}, {1, 1}}), 1, false, kCopyQuads, 2, 1},
        // 4 rows of 6 as 3 of 8: elements of several rows of the source are in one row.
        Case{"reshape", Dims(0, 0, {{4, 8}, {6, 1}}), 8, false, kCopySpread, 2, 8},
        Case{"reshape_to_vector", Dims(0, 0, {{9, 4}, {1, 1}}), 9, false, kCopyElements, 1, 9},
        Case{"reshape_to_column", Dims(0, 0, {{1, 12}, {9, 1}}), 1, false, kCopySpread, 1, 1}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(StridedCopyTest, RefusesMoreThanSixDimensions) {
  CopyDims what{.row_dims = 1};
  for (int i = 0; i < 6; ++i) what.Append(2, i + 1);
  StridedCopy copy;
  EXPECT_EQ(PlanStridedCopy(what, 2, false, &copy), nullptr);
  what.Append(2, 7);
  EXPECT_STREQ(PlanStridedCopy(what, 2, false, &copy),
               "more than 6 dimensions that cannot be merged");
}

TEST(StridedCopyTest, NamesTheSameElementsForAnyDimensions) {
  std::mt19937 random(1);
  const auto below = [&random](int n) { return static_cast<int64_t>(random() % n); };
  int planned = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    CopyDims what{.from = 1000 + below(9)};
    const int count = static_cast<int>(1 + below(6));
    for (int i = 0; i < count; ++i) what.Append(1 + below(5), below(12) - 3);
    what.row_dims = static_cast<int>(1 + below(count));
    int64_t columns = 1;
    for (int i = count - what.row_dims; i < count; ++i) columns *= what.dims[i].extent;
    const bool keep_rows = what.row_dims == 1 && below(2) == 0;
    StridedCopy copy;
    ASSERT_EQ(PlanStridedCopy(what, columns, keep_rows, &copy), nullptr);
    ExpectConsistent(copy);
    ASSERT_EQ(Addresses(copy), Addresses(what));
    // Rows stay, or have no padding in the output.
    if (copy.push.columns != columns) {
      EXPECT_FALSE(keep_rows);
      EXPECT_EQ(columns % 4, 0);
      EXPECT_EQ(copy.push.columns % 4, 0u);
    }
    ++planned;
  }
  EXPECT_EQ(planned, 2000);
}

TEST(StridedCopyTest, StridesCountThePaddingOfRows) {
  EXPECT_EQ(Rows4Strides({2, 3, 5}), Shape({24, 8, 1}));
  EXPECT_EQ(Rows4Strides({2, 8}), Shape({8, 1}));
  EXPECT_EQ(Rows4Strides({3}), Shape({1}));
  EXPECT_EQ(Rows4Strides({}), Shape());
}

}  // namespace
}  // namespace linnet::vulkan
