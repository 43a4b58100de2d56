// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/region.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace linnet {
namespace {

TEST(Region, ABlockOfPeakBytesServesTheSameCalls) {
  const auto use = [](Region& region) {
    void* first = region.Allocate(100);
    if (first == nullptr) return false;
    void* second = region.Reallocate(region.Allocate(10), 1000);
    if (second == nullptr) return false;
    region.Free(first);
    region.Free(second);
    return region.Allocate(500) != nullptr;
  };
  Region heap;
  ASSERT_TRUE(use(heap));
  std::vector<char> block(static_cast<size_t>(heap.peak()) + kHostAlignment);
  Region exact(block.data(), static_cast<int64_t>(block.size()));
  EXPECT_TRUE(use(exact));
  EXPECT_EQ(exact.peak(), heap.peak());
  Region tight(block.data(), heap.peak() - kHostAlignment);
  EXPECT_FALSE(use(tight));
}

TEST(Region, LimitBoundsMallocLikeABlock) {
  Region region;
  region.Limit(4096);
  EXPECT_EQ(region.Allocate(4096), nullptr);  // no room for the header
  void* piece = region.Allocate(2048);
  ASSERT_NE(piece, nullptr);
  std::memset(piece, 1, 2048);
  EXPECT_EQ(region.Reallocate(piece, 4096), nullptr);
  piece = region.Reallocate(piece, 3000);
  ASSERT_NE(piece, nullptr);
  EXPECT_EQ(static_cast<char*>(piece)[2047], 1);
  EXPECT_EQ(region.Allocate(2000), nullptr);
  region.Free(piece);
  EXPECT_NE(region.Allocate(4000), nullptr);
  EXPECT_LE(region.peak(), 4096);
}

TEST(Region, ImpossibleSizes) {
  Region region;
  EXPECT_EQ(region.Allocate(-1), nullptr);
  EXPECT_EQ(region.Allocate(INT64_MAX), nullptr);
  EXPECT_EQ(region.New<int64_t>(INT64_MAX / 4), nullptr);
  void* piece = region.Allocate(0);
  EXPECT_NE(piece, nullptr);
  EXPECT_EQ(region.Reallocate(piece, INT64_MAX), nullptr);
}

}  // namespace
}  // namespace linnet
