// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace linnet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The value as the format defines it: sign, 5 bits of exponent, 10 bits of fraction.
double ValueOf(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction == 0 ? kInfinity : std::nan("");
  return half & 0x8000 ? -value : value;
}

bool IsNan(uint16_t half) { return (half & 0x7fff) > 0x7c00; }

TEST(HalfToFloat, IsExactForEveryHalf) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = HalfToFloat(half);
    if (IsNan(half)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
    } else {
      EXPECT_EQ(value, ValueOf(half)) << bits;
      EXPECT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    }
  }
}

TEST(FloatToHalf, InvertsHalfToFloat) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const uint16_t again = FloatToHalf(HalfToFloat(half));
    if (IsNan(half)) {
      EXPECT_TRUE(IsNan(again)) << bits;
    } else {
      EXPECT_EQ(again, half);
    }
  }
}

// Between any two neighbours: just below the middle, at it, and just above it.
TEST(FloatToHalf, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<uint16_t>(bits), high = static_cast<uint16_t>(bits + 1);
    const auto middle = static_cast<float>((ValueOf(low) + ValueOf(high)) / 2);
    EXPECT_EQ(FloatToHalf(middle), bits % 2 == 0 ? low : high) << bits;
    EXPECT_EQ(FloatToHalf(std::nextafter(middle, -kInfinity)), low) << bits;
    EXPECT_EQ(FloatToHalf(std::nextafter(middle, kInfinity)), high) << bits;
  }
}

TEST(FloatToHalf, OverflowsToInfinity) {
  EXPECT_EQ(FloatToHalf(65504.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-1e30f), 0xfc00);
  EXPECT_EQ(FloatToHalf(kInfinity), 0x7c00);
}

TEST(FloatToHalf, UnderflowsToSignedZero) {
  EXPECT_EQ(FloatToHalf(1e-30f), 0);
  EXPECT_EQ(FloatToHalf(-1e-30f), 0x8000);
  EXPECT_EQ(FloatToHalf(-0.0f), 0x8000);
  EXPECT_EQ(FloatToHalf(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(FloatToHalf, KeepsNan) {
  EXPECT_TRUE(IsNan(FloatToHalf(std::nanf(""))));
  // A NaN payload that truncation would lose.
  EXPECT_TRUE(IsNan(FloatToHalf(std::bit_cast<float>(0x7f800001u))));
}

}  // namespace
}  // namespace linnet
