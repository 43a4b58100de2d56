// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/encoding.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/core/half.h"

namespace linnet {
namespace {

const TensorType kType = {DType::kFloat32, {2, 3}};

TEST(Encoding, EveryOneHasItsRow) {
  for (const schema::Encoding encoding : schema::EnumValuesEncoding()) {
    const DType stored = StoredDType(DType::kFloat32, encoding);
    EXPECT_GT(DTypeBytes(stored), 0) << EncodingName(encoding);
    EXPECT_EQ(EncodedBytes(kType, encoding), 6 * DTypeBytes(stored)) << EncodingName(encoding);
    EXPECT_EQ(stored == DType::kFloat32, encoding == schema::Encoding::Plain);
  }
}

TEST(Encoding, HalvesDecode) {
  const std::vector<uint16_t> halves = {FloatToHalf(1.5f), FloatToHalf(-0.25f)};
  float out[2];
  DecodeElements(schema::Encoding::Float16, {}, halves.data(), 2, out);
  EXPECT_EQ(out[0], 1.5f);
  EXPECT_EQ(out[1], -0.25f);
}

// At any address, because files are not trusted to be aligned.
TEST(Encoding, IntegersAreScaledAndMoved) {
  const uint8_t bytes[] = {0xFF, 0, 200, 1, 0};
  float out[2];
  DecodeElements(schema::Encoding::AffineU8, {0.5, -1.0}, bytes + 1, 2, out);
  EXPECT_EQ(out[0], -1.0f);
  EXPECT_EQ(out[1], 99.0f);
  DecodeElements(schema::Encoding::AffineU16, {0.5, -1.0}, bytes + 1, 2, out);
  EXPECT_EQ(out[0], 25599.0f);  // 200 * 256 / 2 - 1
  EXPECT_EQ(out[1], -0.5f);
}

}  // namespace
}  // namespace linnet
