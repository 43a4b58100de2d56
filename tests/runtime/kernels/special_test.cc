// SPDX-License-Identifier: Apache-2.0
// Lgamma is our own: compared with the C library's, in double, over all exponents.
#include "runtime/kernels/special.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace linnet::kernels {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

float Lgamma(float x) {
  UnaryLgamma(&x, 1, 0, &x);
  return x;
}

TEST(Lgamma, RoundsTheExactValue) {
  int compared = 0;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 9973) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (!std::isfinite(x)) continue;
    const double want = std::lgamma(static_cast<double>(x));
    if (std::fabs(want) > std::numeric_limits<float>::max()) {
      ASSERT_EQ(Lgamma(x), kInf) << x;
      continue;
    }
    const auto rounded = static_cast<float>(want);
    ASSERT_LE(std::nextafter(rounded, -kInf), Lgamma(x)) << x;
    ASSERT_GE(std::nextafter(rounded, kInf), Lgamma(x)) << x;
    ++compared;
  }
  EXPECT_GT(compared, 300'000);
}

// Where it is near 0, most digits of the terms cancel.
TEST(Lgamma, IsExactNearItsZeros) {
  for (const float zero : {1.0f, 2.0f, -2.4570248f, -2.7476826f, -3.1435809f}) {
    float x = zero;
    for (int i = 0; i < 100; ++i) x = std::nextafter(x, -kInf);
    for (int i = 0; i < 200; ++i, x = std::nextafter(x, kInf)) {
      const double want = std::lgamma(static_cast<double>(x));
      ASSERT_NEAR(Lgamma(x), want, std::fabs(want) * 2e-7) << x;
    }
  }
}

TEST(Lgamma, IsInfiniteAtPolesAndEnds) {
  for (const float x : {0.0f, -0.0f, -1.0f, -2.0f, -1e9f, -kInf, kInf, 3e38f})
    EXPECT_EQ(Lgamma(x), kInf) << x;
  EXPECT_TRUE(std::isnan(Lgamma(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(Lgamma(1.0f), 0.0f);
  EXPECT_EQ(Lgamma(2.0f), 0.0f);
}

}  // namespace
}  // namespace linnet::kernels
