// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/huge_pages.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/host_allocator.h"

namespace linnet {
namespace {

// Just below and above where the last page becomes a huge one.
const std::vector<int64_t> kSizes = {1,
                                     4096,
                                     kLeastHugeBytes - 1,
                                     kLeastHugeBytes,
                                     kHugePageBytes,
                                     kHugePageBytes + 1,
                                     kHugePageBytes + kLeastHugeBytes - 1,
                                     kHugePageBytes + kLeastHugeBytes,
                                     5 * kHugePageBytes};

TEST(HugePages, AllBytesOfAPieceAreZeroAndItsOwn) {
  for (const int64_t bytes : kSizes) {
    auto* one = static_cast<uint8_t*>(kMalloc.AllocateZeros(bytes, 64));
    auto* two = static_cast<uint8_t*>(kMalloc.AllocateZeros(bytes, 64));
    ASSERT_NE(one, nullptr);
    ASSERT_NE(two, nullptr);
    EXPECT_EQ(std::count(one, one + bytes, 0), bytes);
    std::fill_n(one, bytes, uint8_t{1});
    EXPECT_EQ(std::count(two, two + bytes, 0), bytes) << bytes;
    kMalloc.Release(one, bytes);
    std::fill_n(two, bytes, uint8_t{2});
    kMalloc.Release(two, bytes);
  }
}

TEST(HugePages, PiecesBeginAtAPage) {
  for (const int64_t bytes : kSizes) {
    void* memory = kMalloc.Allocate(bytes, 64);
    const uintptr_t unit = WantsHugePages(static_cast<size_t>(bytes)) ? kHugePageBytes : 64;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % unit, 0u) << bytes;
    kMalloc.Release(memory, bytes);
  }
}

#if !LINNET_ADDRESS_SANITIZER  // whose malloc ends the process
TEST(HugePages, MoreThanTheMachineHasIsOutOfMemory) {
  for (const int64_t bytes : {int64_t{1} << 60, std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(kMalloc.Allocate(bytes, 64), nullptr);
    EXPECT_EQ(kMalloc.AllocateZeros(bytes, 64), nullptr);
  }
}
#endif

}  // namespace
}  // namespace linnet
