// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/strip_shares.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace linnet::portable {
namespace {

std::vector<uint32_t> TakeAll(StripShares* shares, int64_t member) {
  std::vector<uint32_t> taken;
  for (uint32_t strip; shares->Next(member, &strip);) taken.push_back(strip);
  return taken;
}

TEST(StripShares, GivesAllStripsInOrderToOneMember) {
  StripShares shares(1, 5);
  shares.Join(0);
  EXPECT_EQ(TakeAll(&shares, 0), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(StripShares, TakesTheWholeShareOfAMemberThatHasNotCome) {
  StripShares shares(2, 8);
  shares.Join(1);
  EXPECT_EQ(TakeAll(&shares, 1), (std::vector<uint32_t>{4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(StripShares, TakesHalfOfWhatAnotherHasLeft) {
  StripShares shares(2, 8);
  shares.Join(0);
  shares.Join(1);
  uint32_t strip = 0;
  ASSERT_TRUE(shares.Next(0, &strip));
  EXPECT_EQ(strip, 0u);
  for (uint32_t want : {4u, 5u, 6u, 7u, 2u, 3u, 1u}) {
    ASSERT_TRUE(shares.Next(1, &strip));
    EXPECT_EQ(strip, want);
  }
  EXPECT_FALSE(shares.Next(0, &strip));
  EXPECT_FALSE(shares.Next(1, &strip));
}

TEST(StripShares, GivesEachStripOnceToFourThreads) {
  constexpr int64_t kStrips = 20'000, kMembers = 4;
  StripShares shares(kMembers, kStrips);
  std::vector<std::vector<uint32_t>> taken(kMembers);
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < kMembers; ++i)
    threads.emplace_back([&, i] {
      shares.Join(i);
      taken[i] = TakeAll(&shares, i);
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<int> times(kStrips);
  for (const std::vector<uint32_t>& strips : taken)
    for (uint32_t strip : strips) ++times[strip];
  EXPECT_EQ(times, std::vector<int>(kStrips, 1));
}

}  // namespace
}  // namespace linnet::portable
