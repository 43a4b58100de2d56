// SPDX-License-Identifier: Apache-2.0
#include "runtime/strips/row_use.h"

#include <gtest/gtest.h>

#include "tests/runtime/strips/test_step.h"

namespace linnet {
namespace {

// "size/stride/pad/multiple", or "none".
std::string WindowOf(const TestStep& step) {
  RowWindow window;
  if (!FindRowWindow(step.op(), &window)) return "none";
  return std::to_string(window.size) + "/" + std::to_string(window.stride) + "/" +
         std::to_string(window.pad) + "/" + std::to_string(window.multiple);
}

TEST(RowUse, ConvolutionsReadTheirWindows) {
  EXPECT_EQ(WindowOf(*Conv(kPicture, 1, {})), "1/1/0/1");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.pad_top = 1, .pad_bottom = 1})), "3/1/1/1");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.stride_h = 2, .pad_bottom = 1})), "3/2/0/1");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.dilation_h = 3, .pad_top = 2})), "7/1/2/1");
  EXPECT_EQ(WindowOf(*Depthwise(kPicture, 5, {.stride_h = 2, .pad_top = 2})), "5/2/2/1");
  EXPECT_EQ(WindowOf(*Pool(kPicture, {.window_h = 2, .stride_h = 2})), "2/2/0/1");
}

// Of 9 rows: 5 windows with stride 2 want 11 rows for a kernel of 3, so one row of zeros above.
TEST(RowUse, PadsThatFollowFromThePictureAreKnown) {
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.stride_h = 2, .same = true})), "3/2/1/1");
  EXPECT_EQ(WindowOf(*Conv(F32({1, 8, 5, 4}), 3, {.stride_h = 2, .same = true})), "3/2/0/1");
  EXPECT_EQ(WindowOf(*Depthwise(kPicture, 3, {.dilation_h = 2, .same = true})), "5/1/2/1");
  EXPECT_EQ(WindowOf(*Pool(kPicture, {.window_h = 3, .stride_h = 1, .same = true})), "3/1/1/1");
}

TEST(RowUse, TilesOfWinogradsMethodAreWhole) {
  for (const int side : {2, 4}) {
    const auto step = Conv(kPicture, 3, {.pad_top = 1, .pad_bottom = 1, .winograd = side}, 3);
    EXPECT_EQ(WindowOf(*step), "3/1/1/" + std::to_string(side));
  }
}

TEST(RowUse, WindowsOutsideThePictureAreNotCut) {
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.pad_top = 2})), "3/1/2/1");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.pad_top = 3})), "none");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.pad_bottom = 2})), "3/1/0/1");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 3, {.pad_bottom = 3})), "none");
  EXPECT_EQ(WindowOf(*Conv(kPicture, 1, {.stride_h = 4, .pad_bottom = 4})), "none");
}

TEST(RowUse, StepsAlongChannelsReadTheirRow) {
  EXPECT_EQ(WindowOf(*Linear(kPicture)), "1/1/0/1");
  EXPECT_EQ(WindowOf(TestStep(SoftmaxAttrs(), {kPicture})), "1/1/0/1");
  EXPECT_EQ(WindowOf(TestStep(LayerNormAttrs(), {kPicture, F32({4}), F32({4})})), "1/1/0/1");
  EXPECT_EQ(WindowOf(*Linear(F32({2, 9, 4}))), "none") << "no picture";
  EXPECT_EQ(UseOf(Linear(kPicture)->op(), 1), RowUse::kWhole);
}

TEST(RowUse, ElementwiseStepsReadWhatBroadcasts) {
  const auto use = [](const Shape& shape, int input = 1) {
    const auto step = input == 1 ? Add(kPicture, F32(shape)) : Add(F32(shape), kPicture);
    RowWindow window;
    EXPECT_TRUE(FindRowWindow(step->op(), &window));
    EXPECT_EQ(UseOf(step->op(), 1 - input), RowUse::kRows);
    return UseOf(step->op(), input);
  };
  for (const int input : {0, 1}) {
    EXPECT_EQ(use({2, 9, 5, 4}, input), RowUse::kRows);
    EXPECT_EQ(use({1, 9, 1, 4}, input), RowUse::kRows);
    EXPECT_EQ(use({2, 1, 1, 4}, input), RowUse::kPicture);
    EXPECT_EQ(use({2, 1, 5, 1}, input), RowUse::kPicture);
    EXPECT_EQ(use({1, 1, 1, 4}, input), RowUse::kWhole);
    EXPECT_EQ(use({1, 5, 4}, input), RowUse::kWhole);
    EXPECT_EQ(use({4}, input), RowUse::kWhole);
    EXPECT_EQ(use({}, input), RowUse::kWhole);
  }
  EXPECT_EQ(WindowOf(*Add(kPicture, F32({9, 5, 4}))), "none") << "rows, but no pictures";
  EXPECT_EQ(WindowOf(*Add(F32({2, 1, 5, 4}), F32({9, 1, 1}))), "none");
  EXPECT_EQ(WindowOf(*Add(F32({2, 9, 5}), F32({2, 9, 5}))), "none");
}

TEST(RowUse, OtherStepsAreNotCut) {
  EXPECT_EQ(WindowOf(TestStep(TransposeAttrs{.perm = {0, 2, 1, 3}}, {kPicture})), "none");
  ReduceAttrs mean;
  mean.kind = schema::ReduceKind::Mean;
  mean.axes = {1};
  EXPECT_EQ(WindowOf(TestStep(mean, {kPicture})), "none");
  EXPECT_EQ(WindowOf(*Relu(F32({2, 0, 5, 4}))), "none") << "no rows";
}

TEST(RowUse, TypesOfRowsAreOfOnePicture) {
  EXPECT_EQ(RowsOf(kPicture, RowUse::kRows, 3), F32({1, 3, 5, 4}));
  EXPECT_EQ(RowsOf(F32({2, 1, 1, 4}), RowUse::kPicture, 3), F32({1, 1, 1, 4}));
  EXPECT_EQ(RowsOf(F32({4}), RowUse::kWhole, 3), F32({4}));
}

}  // namespace
}  // namespace linnet
