// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/system_pages.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <gtest/gtest.h>

#include "runtime/core/host_allocator.h"

namespace linnet {
namespace {

// Just below and above where the system is asked, and where the last page becomes a huge one.
const std::vector<int64_t> kSizes = {1,
                                     4096,
                                     kLeastMappedBytes - 1,
                                     kLeastMappedBytes,
                                     kLeastMappedBytes + 1,
                                     kLeastHugeBytes - 1,
                                     kLeastHugeBytes,
                                     kHugePageBytes,
                                     kHugePageBytes + 1,
                                     kHugePageBytes + kLeastHugeBytes - 1,
                                     kHugePageBytes + kLeastHugeBytes,
                                     5 * kHugePageBytes};

TEST(SystemPages, AllBytesOfAPieceAreZeroAndItsOwn) {
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

TEST(SystemPages, PiecesBeginAtAPage) {
  for (const int64_t bytes : kSizes) {
    void* memory = kMalloc.Allocate(bytes, 64);
    const auto size = static_cast<size_t>(bytes);
    uintptr_t unit = 64;
    if (WantsPages(size)) unit = size < kLeastHugeBytes ? 4096 : kHugePageBytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % unit, 0u) << bytes;
    kMalloc.Release(memory, bytes);
  }
}

#if defined(__linux__) && !LINNET_ADDRESS_SANITIZER
// Whether each page of a piece is in memory before anything has written to it.
TEST(SystemPages, PiecesTooSmallForAHugePageAreThereAtOnce) {
  const auto page = static_cast<size_t>(getpagesize());
  for (const int64_t bytes : {kLeastMappedBytes, kLeastHugeBytes - 1}) {
    const auto size = static_cast<size_t>(bytes);
    void* memory = kMalloc.Allocate(bytes, 64);
    std::vector<unsigned char> is_there((size + page - 1) / page);
    ASSERT_EQ(mincore(memory, size, is_there.data()), 0);
    EXPECT_EQ(std::count(is_there.begin(), is_there.end(), 0), 0) << bytes;
    kMalloc.Release(memory, bytes);
    EXPECT_NE(mincore(memory, size, is_there.data()), 0) << bytes << " bytes are still mapped";
  }
}
#endif

#if !LINNET_ADDRESS_SANITIZER  // whose malloc ends the process
TEST(SystemPages, MoreThanTheMachineHasIsOutOfMemory) {
  for (const int64_t bytes : {int64_t{1} << 60, std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(kMalloc.Allocate(bytes, 64), nullptr);
    EXPECT_EQ(kMalloc.AllocateZeros(bytes, 64), nullptr);
  }
}
#endif

}  // namespace
}  // namespace linnet
