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
// Pages of a piece that are not in memory; -1 when it is not mapped.
int64_t MissingPages(void* memory, size_t bytes) {
  const auto page = static_cast<size_t>(getpagesize());
  std::vector<unsigned char> is_there((bytes + page - 1) / page);
  if (mincore(memory, bytes, is_there.data()) != 0) return -1;
  return std::count(is_there.begin(), is_there.end(), 0);
}

// An emulator may leave the flag out.
bool SystemTakesPagesAtOnce() {
  void* memory = mmap(nullptr, kLeastMappedBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  const bool takes = MissingPages(memory, kLeastMappedBytes) == 0;
  munmap(memory, kLeastMappedBytes);
  return takes;
}

TEST(SystemPages, PiecesTooSmallForAHugePageAreThereAtOnce) {
  if (!SystemTakesPagesAtOnce()) GTEST_SKIP() << "this system has no MAP_POPULATE";
  for (const size_t bytes : {kLeastMappedBytes, kLeastHugeBytes - 1}) {
    void* memory = kMalloc.Allocate(static_cast<int64_t>(bytes), 64);
    EXPECT_EQ(MissingPages(memory, bytes), 0) << bytes;
    kMalloc.Release(memory, static_cast<int64_t>(bytes));
  }
}

TEST(SystemPages, PiecesGoBackToTheSystem) {
  for (const size_t bytes : {kLeastMappedBytes, kLeastHugeBytes, kHugePageBytes + 1}) {
    void* memory = kMalloc.Allocate(static_cast<int64_t>(bytes), 64);
    EXPECT_NE(MissingPages(memory, bytes), -1) << bytes;
    kMalloc.Release(memory, static_cast<int64_t>(bytes));
    EXPECT_EQ(MissingPages(memory, bytes), -1) << bytes;
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
