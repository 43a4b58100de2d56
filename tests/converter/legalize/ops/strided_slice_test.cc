// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/strided_slice.h"

#include <gtest/gtest.h>

#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {
namespace {

std::vector<Extent> Extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

std::string Text(const std::vector<Extent>& extents) { return SymbolTable().Text(extents); }

absl::StatusOr<SlicePlan> Plan(const StridedSliceSpec& spec, const Shape& input) {
  return PlanStridedSlice(spec, Extents(input), SymbolTable());
}

struct Case {
  const char* name;
  Shape input;
  StridedSliceSpec spec;
  Shape begin, size, stride, shape;
};

const Case kStridedSliceCases[] = {
    {"all", {4, 5}, {}, {0, 0}, {4, 5}, {1, 1}, {4, 5}},
    {"first_dimension", {4, 5}, {{1}, {3}, {1}}, {1, 0}, {2, 5}, {1, 1}, {2, 5}},
    {"negative_indices", {6}, {{-4}, {-1}, {1}}, {2}, {3}, {1}, {3}},
    {"clamped", {6}, {{-100}, {100}, {1}}, {0}, {6}, {1}, {6}},
    {"backwards", {6}, {{-1}, {-100}, {-2}}, {5}, {3}, {-2}, {3}},
    {"backwards_masked", {6}, {{0}, {0}, {-1}, {1, 1}}, {5}, {6}, {-1}, {6}},
    {"wrong_way", {6}, {{1}, {4}, {-1}}, {0}, {0}, {1}, {0}},
    {"empty_dimension", {0}, {{0}, {5}, {1}}, {0}, {0}, {1}, {0}},
    {"shrink", {4, 5}, {{-1}, {0}, {1}, {0, 0, 0, 0, 1}}, {3, 0}, {1, 5}, {1, 1}, {5}},
    {"shrink_ignores_its_begin_mask", {4}, {{2}, {3}, {1}, {1, 0, 0, 0, 1}}, {2}, {1}, {1}, {}},
    {"new_axis", {4, 5}, {{0, 0}, {0, 2}, {1, 1}, {0, 0, 0, 1}}, {0, 0}, {2, 5}, {1, 1}, {1, 2, 5}},
    {"new_axis_beats_shrink", {4}, {{0}, {1}, {1}, {0, 0, 0, 1, 1}}, {0}, {4}, {1}, {1, 4}},
    {"ellipsis",
     {2, 3, 4, 5},
     {{1, 0, 2}, {2, 0, 4}, {1, 1, 1}, {0, 0, 2}},
     {1, 0, 0, 2},
     {1, 3, 4, 2},
     {1, 1, 1, 1},
     {1, 3, 4, 2}},
    {"ellipsis_of_nothing", {3}, {{0, 1}, {0, 2}, {1, 1}, {0, 0, 1}}, {1}, {1}, {1}, {1}},
    {"new_axis_after_ellipsis",
     {3, 4},
     {{0, 0, 1}, {0, 0, 2}, {1, 1, 1}, {0, 0, 1, 2, 4}},
     {0, 1},
     {3, 1},
     {1, 1},
     {3, 1}},
    {"stride_beyond_the_end", {5}, {{0}, {5}, {7}}, {0}, {1}, {1}, {1}},
};

TEST(PlanStridedSlice, FollowsTensorFlow) {
  for (const Case& c : kStridedSliceCases) {
    const auto plan = Plan(c.spec, c.input);
    ASSERT_TRUE(plan.ok()) << c.name << ": " << plan.status();
    EXPECT_EQ(Text(plan->begin), ShapeText(c.begin)) << c.name;
    EXPECT_EQ(Text(plan->size), ShapeText(c.size)) << c.name;
    EXPECT_EQ(ShapeText(plan->stride), ShapeText(c.stride)) << c.name;
    EXPECT_EQ(Text(plan->shape), ShapeText(c.shape)) << c.name;
  }
}

// Slices of x, whose extent n is in [4, 10].
class VaryingSlice : public testing::Test {
 protected:
  std::string Size(const StridedSliceSpec& spec, const Extent& dim) {
    const auto plan = PlanStridedSlice(spec, {dim}, symbols_);
    if (!plan.ok()) return "refused";
    return symbols_.Text(plan->begin) + symbols_.Text(plan->size);
  }
  SymbolTable symbols_;
  const int n_ = symbols_.Add("n", 4, 10);
};

TEST_F(VaryingSlice, FollowsTheExtent) {
  const Extent n = Extent::OfSymbol(n_);
  EXPECT_EQ(Size({{1}, {0}, {1}, {0, 1}}, n), "[1][n - 1]");
  EXPECT_EQ(Size({{0}, {-1}, {1}}, n), "[0][n - 1]");
  EXPECT_EQ(Size({{-3}, {0}, {1}, {0, 1}}, n), "[n - 3][3]");
  EXPECT_EQ(Size({{0}, {3}, {1}}, n), "[0][3]");
  EXPECT_EQ(Size({{-1}, {0}, {1}, {0, 0, 0, 0, 1}}, n), "[n - 1][1]");
  EXPECT_EQ(Size({{0}, {n}, {1}}, 512), "[0][n]");
}

TEST_F(VaryingSlice, RefusesWhatDependsOnData) {
  const Extent n = Extent::OfSymbol(n_);
  EXPECT_EQ(Size({{0}, {7}, {1}}, n), "refused");  // up to 7 or n
  EXPECT_EQ(Size({{0}, {n}, {1}}, 7), "refused");
  EXPECT_EQ(Size({{0}, {-1}, {2}}, n), "refused");  // every other
}

TEST(PlanStridedSlice, RefusesWhatTensorFlowRefuses) {
  EXPECT_FALSE(Plan({{0}, {1}, {0}}, {4}).ok());                         // stride 0
  EXPECT_FALSE(Plan({{4}, {5}, {1}, {0, 0, 0, 0, 1}}, {4}).ok());        // x[4]
  EXPECT_FALSE(Plan({{1}, {2}, {-1}, {0, 0, 0, 0, 1}}, {4}).ok());       // x[1], stride -1
  EXPECT_FALSE(Plan({{0, 0}, {1, 1}, {1, 1}}, {4}).ok());                // x[0:1, 0:1]
  EXPECT_FALSE(Plan({{0, 0}, {1, 1}, {1, 1}, {0, 0, 3}}, {4, 4}).ok());  // x[..., ...]
  EXPECT_FALSE(Plan({{0, 0}, {1}, {1}}, {4, 4}).ok());
}

}  // namespace
}  // namespace linnet::converter
