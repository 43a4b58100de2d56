// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/share.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace linnet {
namespace {

TEST(Share, GivesFromBothEnds) {
  Share share;
  share.Fill(3, 6);
  uint32_t index = 0;
  ASSERT_TRUE(share.TakeFront(&index));
  EXPECT_EQ(index, 3u);
  ASSERT_TRUE(share.TakeBack(&index));
  EXPECT_EQ(index, 5u);
  ASSERT_TRUE(share.TakeBack(&index));
  EXPECT_EQ(index, 4u);
  EXPECT_FALSE(share.TakeFront(&index));
  EXPECT_FALSE(share.TakeBack(&index));
}

TEST(Share, HoldsTheLargestIndices) {
  Share share;
  share.Fill(Share::kMostTasks - 1, Share::kMostTasks);
  uint32_t index = 0;
  ASSERT_TRUE(share.TakeBack(&index));
  EXPECT_EQ(index, Share::kMostTasks - 1);
  EXPECT_FALSE(share.TakeFront(&index));
}

TEST(Share, GivesHalfFromTheBack) {
  Share share;
  share.Fill(2, 7);
  uint32_t begin = 0, end = 0;
  ASSERT_TRUE(share.TakePart(2, &begin, &end));
  EXPECT_EQ(begin, 4u);
  EXPECT_EQ(end, 7u);
  EXPECT_EQ(share.left(), 2u);
  ASSERT_TRUE(share.TakePart(1, &begin, &end));
  EXPECT_EQ(begin, 2u);
  EXPECT_EQ(end, 4u);
  EXPECT_FALSE(share.TakePart(2, &begin, &end));
}

TEST(Share, GivesTheLastIndexAsHalf) {
  Share share;
  share.Fill(8, 9);
  uint32_t begin = 0, end = 0;
  ASSERT_TRUE(share.TakePart(2, &begin, &end));
  EXPECT_EQ(begin, 8u);
  EXPECT_EQ(share.left(), 0u);
}

TEST(Share, GivesEachIndexOnceToFourThreads) {
  constexpr uint32_t kCount = 20'000;
  Share share;
  share.Fill(0, kCount);
  std::vector<int> taken(kCount);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      uint32_t index;
      while (t == 0 ? share.TakeFront(&index) : share.TakeBack(&index)) ++taken[index];
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, std::vector<int>(kCount, 1));
}

}  // namespace
}  // namespace linnet
