// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/copy_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace linnet::kernels {
namespace {

std::vector<char> Counted(int64_t bytes) {
  std::vector<char> values(static_cast<size_t>(bytes));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// Answers "stop" at question `last`.
struct Asked {
  int64_t questions = 0, last = INT64_MAX;
  Parallel parallel() {
    Parallel parallel;
    parallel.stop = [](void* self) {
      auto& asked = *static_cast<Asked*>(self);
      return ++asked.questions >= asked.last;
    };
    parallel.stop_context = this;
    return parallel;
  }
};

TEST(CopyBytes, CopiesAllAndNothingMore) {
  for (const int64_t bytes : {0, 1, 4097, 3'000'001}) {
    const std::vector<char> from = Counted(bytes);
    std::vector<char> to(from.size() + 1, 7), zeroed = Counted(bytes + 1);
    CopyBytes(from.data(), to.data(), bytes, {});
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
    EXPECT_EQ(to.back(), 7);
    const char after = zeroed.back();
    ZeroBytes(zeroed.data(), bytes, {});
    EXPECT_EQ(std::count(zeroed.begin(), zeroed.end() - 1, 0), bytes);
    EXPECT_EQ(zeroed.back(), after);
  }
}

TEST(CopyBytes, RowsComeFromTheirSources) {
  for (const int64_t row_bytes : {0, 1, 4, 8, 12, 300'000}) {
    const int64_t rows = 5;
    const std::vector<char> from = Counted(rows * row_bytes);
    std::vector<char> to(from.size());
    CopyRows(rows, row_bytes, to.data(), {},
             [&](int64_t row) { return from.data() + (rows - 1 - row) * row_bytes; });
    for (int64_t row = 0; row < rows; ++row)
      EXPECT_TRUE(std::equal(to.begin() + row * row_bytes, to.begin() + (row + 1) * row_bytes,
                             from.begin() + (rows - 1 - row) * row_bytes))
          << row_bytes;
  }
}

// A step that only moves bytes reacts to a cancellation as soon as one that computes.
TEST(CopyBytes, AsksForEveryFewMegabytes) {
  constexpr int64_t kBytes = 32 << 20, kMost = 4 << 20;
  const std::vector<char> from = Counted(kBytes);
  std::vector<char> to(from.size());
  Asked copying, zeroing, long_rows;
  CopyBytes(from.data(), to.data(), kBytes, copying.parallel());
  ZeroBytes(to.data(), kBytes, zeroing.parallel());
  CopyRows(2, kBytes / 2, to.data(), long_rows.parallel(), [&](int64_t) { return from.data(); });
  for (const Asked& asked : {copying, zeroing, long_rows})
    EXPECT_GE(asked.questions, kBytes / kMost);
}

TEST(CopyBytes, LeavesTheRestWhenTheRunIsStopped) {
  const std::vector<char> from(32 << 20, 1);
  std::vector<char> to(from.size(), 0);
  Asked asked;
  asked.last = 3;
  CopyBytes(from.data(), to.data(), static_cast<int64_t>(from.size()), asked.parallel());
  EXPECT_EQ(to.back(), 0);
}

}  // namespace
}  // namespace linnet::kernels
