// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace linnet {
namespace {

TEST(Hash, EachByteCounts) {
  std::vector<std::byte> bytes(37, std::byte{7});
  std::set<uint64_t> seen{HashBytes(bytes)};
  size_t count = 1;
  for (std::byte& byte : bytes) {
    for (int flip = 1; flip < 256; ++flip, ++count) {
      byte ^= static_cast<std::byte>(flip);
      seen.insert(HashBytes(bytes));
      byte ^= static_cast<std::byte>(flip);
    }
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(Hash, LengthAndStartCount) {
  const std::byte zeros[20] = {};
  std::set<uint64_t> seen;
  for (size_t bytes = 0; bytes <= 20; ++bytes) {
    seen.insert(HashBytes({zeros, bytes}));
    seen.insert(HashBytes({zeros, bytes}, 1));
  }
  EXPECT_EQ(seen.size(), 42u);
}

}  // namespace
}  // namespace linnet
