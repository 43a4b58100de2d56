// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
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

// Also memory that was used before, of each origin, and of sizes that malloc takes from different
// places.
TEST(Region, ZerosAreZeros) {
  constexpr int64_t kSizes[] = {1, 1000, 300'000, 5'000'000};
  std::vector<char> block(6'000'000, 1);
  Region in_block(block.data(), static_cast<int64_t>(block.size()));
  const HostAllocator dirty = {.context = nullptr,
                               .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
                                 return std::memset(std::aligned_alloc(alignment, bytes), 1, bytes);
                               },
                               .release = [](void*, void* memory, size_t) { std::free(memory); }};
  Region of_malloc, of_allocator(dirty);
  for (Region* region : {&in_block, &of_malloc, &of_allocator}) {
    for (int round = 0; round < 2; ++round) {
      for (const int64_t bytes : kSizes) {
        auto* zeros = static_cast<char*>(region->AllocateZeros(bytes));
        ASSERT_NE(zeros, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(zeros) % kHostAlignment, 0u);
        EXPECT_EQ(std::count(zeros, zeros + bytes, 0), bytes);
        std::memset(zeros, 1, static_cast<size_t>(bytes));
        region->Free(zeros);
      }
    }
  }
  EXPECT_EQ(in_block.peak(), of_malloc.peak());
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
