// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/runtime/kernels/backwards.h"

namespace linnet::kernels {
namespace {

// The known answers with which Random123, the authors' library, tests itself.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(Philox(0, 0, 0).At(0), (Philox::Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}).At(0),
            (Philox::Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e).At(0),
            (Philox::Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, TheCounterIsOneNumber) {
  EXPECT_EQ(Philox(5, ~uint64_t{0}, 7).At(3), Philox(5, 2, 8).At(0));
  EXPECT_EQ(Philox(5, ~uint64_t{0}, ~uint64_t{0}).At(1), Philox(5, 0, 0).At(0));
}

TEST(Random, ThreadsChangeNothing) {
  constexpr int64_t kCount = 50'003;
  const Philox philox(1, 2, 3);
  for (const RealKind kind : {RealKind::kUniform, RealKind::kNormal, RealKind::kTruncatedNormal}) {
    for (const DType drawn_as : {DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
      std::vector<float> one(kCount), many(kCount);
      RandomReals(kind, drawn_as, philox, kCount, one.data(), {});
      RandomReals(kind, drawn_as, philox, kCount, many.data(), Backwards(3));
      EXPECT_EQ(one, many);
      const auto [min, max] = std::ranges::minmax(one);
      EXPECT_GE(min, kind == RealKind::kUniform ? 0 : kind == RealKind::kNormal ? -6 : -2);
      EXPECT_LE(max, kind == RealKind::kUniform ? 1 : kind == RealKind::kNormal ? 6 : 2);
      const float mean = std::accumulate(one.begin(), one.end(), 0.0f) / kCount;
      EXPECT_NEAR(mean, kind == RealKind::kUniform ? 0.5f : 0.0f, 0.02f);
    }
  }
}

TEST(Random, PermutationsHaveEachNumberOnce) {
  std::vector<int32_t> order(1000), sorted(1000);
  RandomPermutation(Philox(1, 2, 3), 1000, order.data(), Parallel());
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  std::iota(sorted.begin(), sorted.end(), 0);
  EXPECT_EQ(order, sorted);
}

}  // namespace
}  // namespace linnet::kernels
