// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/keep_shares.h"

#include <gtest/gtest.h>

#include <random>

namespace linnet::planner {
namespace {

constexpr int64_t kAlignment = 64;

TEST(KeepShares, MovesASmallBufferAwayFromTheFrontOfALargeOne) {
  // The second lies where the front half of the first was, which one thread has.
  std::vector<BufferPlace> buffers = {{0, 65536, 0, 1}, {65536, 65536, 1, 2}, {0, 16384, 2, 3}};
  KeepShares(262144, kAlignment, &buffers);
  EXPECT_EQ(buffers[0].offset, 0);
  EXPECT_EQ(buffers[1].offset, 65536);
  EXPECT_EQ(buffers[2].offset, 131072) << "no buffer was here";
}

TEST(KeepShares, TakesTheMiddleWhereNothingElseIsFree) {
  std::vector<BufferPlace> buffers = {{0, 65536, 0, 1}, {65536, 65536, 1, 3}, {0, 16384, 2, 3}};
  KeepShares(131072, kAlignment, &buffers);
  EXPECT_EQ(buffers[2].offset, 24576) << "each half lies in its half of the first";
}

TEST(KeepShares, ReturnsToThePlaceOfABufferOfTheSameSize) {
  std::vector<BufferPlace> buffers = {
      {32768, 65536, 0, 1}, {98304, 65536, 1, 2}, {0, 65536, 2, 3}, {0, 32768, 4, 5}};
  KeepShares(163840, kAlignment, &buffers);
  EXPECT_EQ(buffers[2].offset, 32768);
}

TEST(KeepShares, KeepsWhatIsRightOrTooSmallToMatter) {
  const std::vector<BufferPlace> before = {
      {0, 65536, 0, 1}, {65536, 65536, 1, 2}, {0, 65536, 2, 3}, {131072, 0, 0, 9}, {0, 4096, 4, 5}};
  std::vector<BufferPlace> buffers = before;
  KeepShares(262144, kAlignment, &buffers);
  for (size_t b = 0; b < buffers.size(); ++b) EXPECT_EQ(buffers[b].offset, before[b].offset) << b;
}

// Whatever moves, no two buffers that live at the same time overlap, and the arena does not grow.
TEST(KeepShares, KeepsBuffersApart) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<BufferPlace> buffers;
    int64_t end = 0;
    for (int b = 0; b < 24; ++b) {
      const int first = static_cast<int>(random() % 20);
      const auto bytes = static_cast<int64_t>(random() % 40 * 1000);
      // Above all that live at the same time, or in a place of its own.
      int64_t offset = 0;
      for (const BufferPlace& other : buffers)
        if (other.first <= first + 3 && first <= other.last)
          offset = std::max(offset, other.offset + (other.bytes + 63) / 64 * 64);
      buffers.push_back({offset, bytes, first, first + static_cast<int>(random() % 4)});
      end = std::max(end, offset + (bytes + 63) / 64 * 64);
    }
    KeepShares(end, kAlignment, &buffers);
    for (size_t a = 0; a < buffers.size(); ++a) {
      const BufferPlace& x = buffers[a];
      EXPECT_EQ(x.offset % kAlignment, 0);
      EXPECT_GE(x.offset, 0);
      EXPECT_LE(x.offset + x.bytes, end);
      for (size_t b = 0; b < a; ++b) {
        const BufferPlace& y = buffers[b];
        const bool together = x.first <= y.last && y.first <= x.last;
        EXPECT_FALSE(together && std::max(x.offset, y.offset) <
                                     std::min(x.offset + x.bytes, y.offset + y.bytes))
            << a << " and " << b;
      }
    }
  }
}

// As many buffers as an untrusted model may have take no longer than a search with a budget.
TEST(KeepShares, EndsInTime) {
  std::vector<BufferPlace> buffers;
  for (int b = 0; b < 20000; ++b)
    buffers.push_back({(b % 3) * 65536, 25000 + b % 7 * 5000, b, b + 1});
  KeepShares(3 * 65536, kAlignment, &buffers);
  EXPECT_NE(buffers[100].offset, 65536) << "the first ones were looked at";
  EXPECT_EQ(buffers[19999].offset, 65536) << "the last ones were not";
}

}  // namespace
}  // namespace linnet::planner
