// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/offsets.h"

#include <gtest/gtest.h>

#include <random>

#include "converter/plan/planner/allocate_in_time.h"
#include "converter/plan/planner/exact.h"

namespace linnet::planner {
namespace {

int64_t Bound(const std::vector<Buffer>& buffers) {
  int end = 0;
  for (const Buffer& b : buffers) end = std::max(end, b.last);
  return LowerBound(buffers, end + 1, 64);
}

void ExpectApart(const std::vector<Buffer>& buffers, const std::vector<int64_t>& offsets) {
  for (size_t a = 0; a < buffers.size(); ++a) {
    EXPECT_EQ(offsets[a] % 64, 0);
    for (size_t b = 0; b < a; ++b) {
      const bool together =
          buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
      const bool overlap = std::max(offsets[a], offsets[b]) <
                           std::min(offsets[a] + buffers[a].bytes, offsets[b] + buffers[b].bytes);
      EXPECT_FALSE(together && overlap) << a << " and " << b;
    }
  }
}

// The smallest arena of all bottom-up arrangements, found without pruning.
int64_t TryEverything(const std::vector<Buffer>& buffers, std::vector<int64_t>& offsets) {
  int64_t best = -1, arena = 0;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (offsets[i] >= 0) arena = std::max(arena, offsets[i] + buffers[i].bytes);
  bool complete = true;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (offsets[i] >= 0) continue;
    complete = false;
    int64_t floor = 0;
    for (size_t j = 0; j < buffers.size(); ++j) {
      if (offsets[j] >= 0 && buffers[i].first <= buffers[j].last &&
          buffers[j].first <= buffers[i].last)
        floor = std::max(floor, offsets[j] + buffers[j].bytes);
    }
    offsets[i] = floor;
    const int64_t found = TryEverything(buffers, offsets);
    offsets[i] = -1;
    if (best < 0 || found < best) best = found;
  }
  return complete ? arena : best;
}

TEST(Offsets, ExactSearchFindsTheOptimum) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<Buffer> buffers;
    for (int i = 0; i < 7; ++i) {
      const int first = static_cast<int>(random() % 8);
      buffers.push_back({64 * static_cast<int64_t>(1 + random() % 6), first,
                         first + static_cast<int>(random() % 5)});
    }
    std::vector<int64_t> none(buffers.size(), -1);
    const int64_t optimum = TryEverything(buffers, none);
    const int64_t bound = Bound(buffers);
    // With a bound of 0 the search must prove that nothing is better.
    const std::vector<int64_t> exact = FindOffsetsBelow(buffers, optimum + 4 * 64, 0, {});
    ASSERT_FALSE(exact.empty());
    ExpectApart(buffers, exact);
    int64_t arena = 0;
    for (size_t i = 0; i < buffers.size(); ++i)
      arena = std::max(arena, exact[i] + buffers[i].bytes);
    EXPECT_EQ(arena, optimum);
    EXPECT_TRUE(FindOffsetsBelow(buffers, optimum, 0, {}).empty());
    const Offsets found = AssignOffsets(buffers, bound, {});
    ExpectApart(buffers, found.offsets);
    EXPECT_EQ(found.arena_bytes, optimum);
  }
}

TEST(Offsets, BudgetIsKept) {
  std::mt19937 random(7);
  std::vector<Buffer> buffers;
  for (int i = 0; i < 300; ++i) {
    const int first = static_cast<int>(random() % 400);
    buffers.push_back({64 * static_cast<int64_t>(1 + random() % 1000), first,
                       first + static_cast<int>(random() % 60)});
  }
  PlannerOptions options = {.exact_nodes = 10};
  const Offsets found = AssignOffsets(buffers, Bound(buffers), options);
  ExpectApart(buffers, found.offsets);
}

TEST(Offsets, AllocatedInTimeNothingOverlaps) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 120; ++i) {
      const int first = static_cast<int>(random() % 40);
      buffers.push_back(
          {static_cast<int64_t>(random() % 2000), first, first + static_cast<int>(random() % 20)});
    }
    ExpectApart(buffers, AllocateInTime(buffers, 64));
    int64_t pairs = 0;
    for (size_t a = 0; a < buffers.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        pairs += buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
    EXPECT_EQ(CountConflicts(buffers, 1 << 30), pairs);
    EXPECT_EQ(CountConflicts(buffers, 7), 7);
  }
}

TEST(Offsets, FreedMemoryIsUsedAgain) {
  // The second is placed where the first was; the space of the two behind it joins to one gap for
  // the last.
  const std::vector<Buffer> buffers = {
      {256, 0, 1}, {256, 2, 9}, {64, 2, 3}, {64, 2, 3}, {128, 4, 5}};
  const std::vector<int64_t> offsets = AllocateInTime(buffers, 64);
  EXPECT_EQ(offsets, (std::vector<int64_t>{0, 0, 256, 320, 256}));
}

// A complete search would look at 50 million pairs, about ten times.
TEST(Offsets, ThousandsThatLiveTogether) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < 10'000; ++i) buffers.push_back({64 * (1 + i % 3), i, 10'001});
  const Offsets found = AssignOffsets(buffers, Bound(buffers), {});
  EXPECT_STREQ(found.method, "in time");
  EXPECT_EQ(found.arena_bytes, Bound(buffers));
}

}  // namespace
}  // namespace linnet::planner
