// SPDX-License-Identifier: Apache-2.0
#include "runtime/strips/strip_chain.h"

#include <gtest/gtest.h>

#include "runtime/core/region.h"
#include "tests/runtime/strips/test_chain.h"

namespace linnet {
namespace {

const Conv2DAttrs kSame = {.same = true};

// Expand, filter, project and add, as in an inverted residual.
void AddResidual(const TensorType& x, TestChain* net) {
  const int32_t wide = net->MustAdd(Conv(x, 1, {}), {kX});
  const int32_t deep = net->MustAdd(Depthwise(x, 3, {.same = true}), {wide});
  const int32_t thin = net->MustAdd(Conv(x, 1, {}), {deep});
  net->MustAdd(Add(x, x), {thin, kX});
}

TEST(StripChain, KeepsTheRowsUnderTheNextWindow) {
  TestChain net;
  AddResidual(kPicture, &net);
  ASSERT_STREQ(net.chain().Finish(2), nullptr);
  EXPECT_EQ(net.chain().pictures(), 2);
  EXPECT_EQ(net.chain().strips(), 5);
  EXPECT_EQ(net.chain().parts()[0].memory_rows, 4);
  EXPECT_EQ(net.chain().parts()[1].memory_rows, 2);
  EXPECT_EQ(net.chain().parts()[2].memory_rows, 2);
  EXPECT_EQ(net.chain().StripRows(4).size(), 1) << "the last strip has what is left";
}

TEST(StripChain, WalksInStrips) {
  TestChain net;
  AddResidual(kPicture, &net);
  ASSERT_STREQ(net.chain().Finish(2), nullptr);
  StripWalk walk(net.chain());
  walk.Start(0);
  const int64_t ends[] = {3, 5, 7, 9, 9}, kept[] = {0, 1, 3, 5, 7};
  for (int strip = 0; strip < 5; ++strip) {
    walk.Next();
    EXPECT_EQ(walk.Made(0).end, ends[strip]) << "strip " << strip;
    EXPECT_EQ(walk.Kept(0), kept[strip]) << "strip " << strip;
  }
  walk.Start(2);
  walk.Next();
  EXPECT_EQ(walk.Made(0).begin, 3);
  EXPECT_EQ(walk.Made(0).end, 7);
}

TEST(StripChain, PartsLieBehindEachOther) {
  TestChain net;
  AddResidual(kPicture, &net);
  ASSERT_STREQ(net.chain().Finish(3), nullptr);
  int64_t end = 0;
  for (const StripPart& part : net.chain().parts().first(3)) {
    EXPECT_GE(part.memory_offset, end);
    EXPECT_EQ(part.memory_offset % kHostAlignment, 0);
    EXPECT_EQ(part.row_bytes, 5 * 4 * 4);
    end = part.memory_offset + part.memory_rows * part.row_bytes;
  }
  EXPECT_GE(net.chain().memory_bytes(), end + 64) << "kernels may read behind a tensor";
}

TEST(StripChain, MayHaveSixtyFourParts) {
  TestChain net;
  net.MustAdd(Relu(kPicture), {kX});
  for (int i = 1; i < kMaxStripParts; ++i) net.MustAdd(Relu(kPicture), {net.last()});
  EXPECT_STREQ(net.Add(Relu(kPicture), {net.last()}), "more steps than strips can have");
  EXPECT_STREQ(net.chain().Finish(2), nullptr);
}

TEST(StripChain, WantsTwoParts) {
  TestChain net;
  EXPECT_STREQ(net.chain().Finish(1), "strips want at least two steps");
  net.MustAdd(Relu(kPicture), {kX});
  EXPECT_STREQ(net.chain().Finish(1), "strips want at least two steps");
}

TEST(StripChain, WantsEachPartToBeRead) {
  TestChain net;
  net.MustAdd(Relu(kPicture), {kX});
  net.MustAdd(Conv(kPicture, 3, kSame), {kX});
  net.MustAdd(Conv(kPicture, 3, kSame), {net.last()});
  EXPECT_STREQ(net.chain().Finish(2),
               "want each step but the last to be read by a later one of the same strips");
  net.MustAdd(Add(kPicture, kPicture), {net.last(), 0});
  EXPECT_STREQ(net.chain().Finish(2), nullptr);
}

TEST(StripChain, WantsRowsThatTheLastPartCanMake) {
  constexpr char kProblem[] = "strips have a number of rows that the last step cannot make";
  TestChain net;
  net.MustAdd(Relu(kPicture), {kX});
  net.MustAdd(Conv(kPicture, 3, {.same = true, .winograd = 4}, 3), {net.last()});
  for (const int64_t rows : {int64_t{-1}, int64_t{0}, int64_t{2}, int64_t{6}, int64_t{10},
                             int64_t{12}, INT64_MAX, INT64_MIN})
    EXPECT_STREQ(net.chain().Finish(rows), kProblem) << rows;
  for (const int64_t rows : {4, 8, 9}) EXPECT_STREQ(net.chain().Finish(rows), nullptr) << rows;
  EXPECT_EQ(net.chain().strips(), 1);
}

TEST(StripChain, HasAtMostSoManyStrips) {
  const TensorType tall = F32({1, 2 * kMaxStrips, 1, 1});
  TestChain net;
  net.MustAdd(Relu(tall), {kX});
  net.MustAdd(Relu(tall), {net.last()});
  EXPECT_STREQ(net.chain().Finish(1), "too many strips");
  EXPECT_STREQ(net.chain().Finish(2), nullptr);
}

TEST(StripChain, HasAtMostSoMuchMemory) {
  const TensorType large = F32({1, 2, int64_t{1} << 19, int64_t{1} << 20});
  TestChain net;
  net.MustAdd(Relu(large), {kX});
  for (int i = 0; i < 20; ++i) net.MustAdd(Relu(large), {net.last()});
  EXPECT_STREQ(net.chain().Finish(2), "strips need too much memory");
}

TEST(StripChain, RefusesWhatCannotBeCut) {
  TestChain net;
  EXPECT_STREQ(net.Add(Conv(kPicture, 3, {.pad_top = 3}), {kX}), "cannot run in strips");
  EXPECT_STREQ(net.Add(Relu(F32({2, 9, 5})), {kX}), "cannot run in strips");
  net.MustAdd(Relu(F32({1, 9, 5, 4})), {kX});
  EXPECT_STREQ(net.Add(Add(kPicture, F32({1, 9, 5, 4})), {kX, net.last()}),
               "strips want equally many pictures");
}

TEST(StripChain, RefusesToReadAllOfWhatItMakes) {
  TestChain net;
  net.MustAdd(Conv(F32({2, 1, 1, 4}), 1, {}), {kX});
  EXPECT_STREQ(net.Add(Add(kPicture, F32({2, 1, 1, 4})), {kX, net.last()}),
               "reads all of a tensor that is made in strips");
  EXPECT_STREQ(net.Add(Conv(F32({2, 1, 1, 4}), 1, {}), {net.last(), net.last()}),
               "reads all of a tensor that is made in strips");
}

TEST(StripChain, RefusesToWriteTwice) {
  StripPart room[kMaxStripParts];
  StripChain chain(room);
  const StepPtr step = Relu(kPicture);
  const int32_t inputs[] = {kX};
  EXPECT_STREQ(chain.Add(step->op(), inputs, 7), nullptr);
  EXPECT_STREQ(chain.Add(step->op(), inputs, 7), "writes a tensor twice in strips");
}

// The add may write over what it reads, not over what the next strip reads above its rows.
TEST(StripChain, OverwritesWhatIsBehindAllWindows) {
  TestChain residual;
  AddResidual(kPicture, &residual);
  ASSERT_STREQ(residual.chain().Finish(2), nullptr);
  EXPECT_TRUE(residual.chain().MayOverwrite(0));
  EXPECT_TRUE(residual.chain().MayOverwrite(1 << 3 | 1 << 0));
  EXPECT_TRUE(residual.chain().OverwritesOnlyOwnRows(0));
  EXPECT_TRUE(residual.chain().OverwritesOnlyOwnRows(1 << 3));
  EXPECT_FALSE(residual.chain().OverwritesOnlyOwnRows(1 << 3 | 1 << 0));

  TestChain early;  // here the window is the first to read x
  early.MustAdd(Depthwise(kPicture, 3, {.same = true}), {kX});
  early.MustAdd(Add(kPicture, kPicture), {early.last(), kX});
  ASSERT_STREQ(early.chain().Finish(2), nullptr);
  EXPECT_FALSE(early.chain().MayOverwrite(1 << 1 | 1 << 0));
  EXPECT_TRUE(early.chain().MayOverwrite(1 << 1));
  EXPECT_TRUE(early.chain().OverwritesOnlyOwnRows(1 << 1));
  ASSERT_STREQ(early.chain().Finish(9), nullptr);
  EXPECT_TRUE(early.chain().MayOverwrite(1 << 1 | 1 << 0)) << "all in one strip";
}

}  // namespace
}  // namespace linnet
